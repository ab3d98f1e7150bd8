// Reverts an entry of the history: asks the person, previews and shows the result.
import { Disposable } from 'vscode';
import { type Apply, stoppedByConflicts } from './apply';
import type { Server } from './client';
import { line } from './escape';
import { isRevert, titleOf } from './history-items';
import { ago, summary } from './history-words';
import { MultiDiff, openMergeEditor, showChanges } from './multi-diff';
import { ask, inform, warn } from './notify';
import {
  type History,
  type HistoryEntry,
  MethodHistory,
  MethodHistoryEntry,
  MethodHistoryFiles,
  type PreviewResult,
  type RevertConflict,
} from './protocol.gen';
import { fileText, list } from './question';

// historyEntry returns the entry with the given id. For '', it returns the latest apply that can be reverted.
async function historyEntry(server: Server, id: string): Promise<HistoryEntry | undefined> {
  const { entries } = await server.request<History>(MethodHistoryEntry, { id });
  return entries[0];
}

const keep = 'Revert and Keep Later Edits';
const revertAll = 'Revert All';
const revertUntilClash = 'Revert Up to There';
const mergeByHand = 'Open Merge Editor';

export class Revert implements Disposable {
  private readonly plain = new MultiDiff<HistoryEntry>('aptix.revertPreview');
  private readonly merged = new MultiDiff<HistoryEntry>('aptix.mergePreview');

  constructor(
    private readonly server: Server,
    private readonly apply: Apply,
  ) {}

  dispose(): void {
    Disposable.from(this.plain, this.merged).dispose();
  }

  // last returns the latest apply that can be reverted. It first waits for an apply that is in progress.
  async last(): Promise<HistoryEntry | undefined> {
    await this.apply.done();
    return historyEntry(this.server, '');
  }

  async ask(entry: HistoryEntry): Promise<void> {
    const [question, button] = isRevert(entry)
      ? [`Apply “${line(entry.label)}” again?`, 'Apply Again']
      : [`Revert “${line(entry.label)}”?`, 'Revert'];
    const detail = `${summary(entry.files)}, applied ${ago(entry.time, 'long')}:\n${list(entry.files.map(fileText))}`;
    if ((await ask(question, detail, button)) === button) {
      await this.make(entry, false);
    }
  }

  // askAfter reverts everything that was applied after an entry, one apply after another. If an apply conflicts with
  // later edits, the first question says so, and the person decides about this apply alone.
  async askAfter(entry: HistoryEntry): Promise<void> {
    const params = { uri: '', limit: 0, after: entry.id };
    const { entries, clash, why } = await this.server.request<History>(MethodHistory, params);
    if (entries.length === 0) return void inform(`nothing was applied after “${line(titleOf(entry))}”.`);
    const question = `Revert everything after “${line(titleOf(entry))}”?`;
    const detail = list(entries.map((later) => `${titleOf(later)}: ${later.files.map(({ path }) => path).join(', ')}`));
    const last = entries.find(({ id }) => id === clash);
    const stop = last ? `\n\nThis stops at “${line(titleOf(last))}” and asks what to do. ${why}.` : '';
    const button = last ? revertUntilClash : revertAll;
    if ((await ask(question, detail + stop, button)) !== button) return;
    for (const later of entries) if (!(await this.make(later, false))) return;
  }

  // undo reverts a change that was just made, without asking.
  undo(id: string): Promise<void> {
    return this.withEntry(id, (entry) => this.make(entry, false));
  }

  askOf(id: string): Promise<void> {
    return this.withEntry(id, (entry) => this.ask(entry));
  }

  private async withEntry(id: string, then: (entry: HistoryEntry) => Promise<unknown>): Promise<void> {
    const entry = await historyEntry(this.server, id);
    if (entry) await then(entry);
    else void warn('the history no longer has this change.');
  }

  // preview shows the effect of a revert. If there are later edits, it shows the effect of a revert that keeps them. If
  // these edits clash with the revert, the person can open the merge editor.
  async preview(entry: HistoryEntry): Promise<void> {
    const plain = await this.wouldDo(entry, false);
    if (!plain.message) return this.plain.show(plain, entry);
    const merged = await this.wouldDo(entry, true);
    if (!merged.message) return this.merged.show(merged, entry);
    if (plain.files.length > 0) await showChanges(plain);
    const clashes = plain.files.filter(({ base }) => base);
    const choice = await warn(`${plain.message}.`, ...(clashes.length > 0 ? [mergeByHand] : []));
    if (choice === mergeByHand) for (const file of clashes) await openMergeEditor(file);
  }

  async makePreviewed(merge: boolean): Promise<void> {
    const diff = merge ? this.merged : this.plain;
    if (diff.about && (await this.make(diff.about, merge))) await diff.close();
  }

  private async make(entry: HistoryEntry, merge: boolean): Promise<boolean> {
    const result = await this.apply.revert({ id: entry.id, merge, asked: true });
    if (stoppedByConflicts(result)) await this.offerMerge(entry, result.conflicts);
    return result.verified;
  }

  private async offerMerge(entry: HistoryEntry, conflicts: RevertConflict[]): Promise<void> {
    const message = `“${line(titleOf(entry))}” was not reverted: some of its files have changed since.`;
    const detail = list(conflicts.map(({ path, why }) => `${path}: ${why}`));
    const mergeable = conflicts.every((conflict) => conflict.mergeable);
    const show = mergeable ? 'Show Merge Preview' : 'Show What Revert Would Do';
    const choice = await ask(message, detail, show, ...(mergeable ? [keep] : []));
    if (choice === show) await this.preview(entry);
    if (choice === keep) await this.make(entry, true);
  }

  private wouldDo({ id }: HistoryEntry, merge: boolean): Promise<PreviewResult> {
    return this.server.request(MethodHistoryFiles, { id, revert: true, merge });
  }
}
