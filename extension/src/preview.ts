// A multi-file diff of the changes that a reply would make. Its texts are virtual documents of the server.
import { commands, Disposable, TabInputText, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import { openDocument } from './apply-edit';
import type { Server } from './client';
import { Editing } from './editing';
import { MultiDiff, showChanges } from './multi-diff';
import { type Choice, inform, pickMany, warn } from './notify';
import {
  type ApplyResult,
  type Blocks,
  CommandApply,
  CommandSkip,
  type ContentResult,
  type ListedBlock,
  type ListedPart,
  MethodBlocks,
  MethodContent,
  MethodPartsAt,
  MethodPreview,
  type PartsAt,
  type PartsAtParams,
  type PreviewFile,
  type PreviewResult,
  PreviewScheme,
  type SkipParams,
  type Target,
} from './protocol.gen';
import { lineOf } from './replies-items';
import { did } from './walkthrough';
import type { WaysOn } from './ways';

const empty = 'empty';
const editsFirst = 'apply or discard your edits first.';

interface Shown {
  target: Target;
  text: string | undefined; // the text of the reply; undefined if the preview is out of date
  editing?: boolean;
}

export class Preview implements TextDocumentContentProvider, Disposable {
  private readonly diff = new MultiDiff<Shown>('aptix.preview');
  private readonly editing = new Editing();
  private readonly subscriptions: Disposable;

  constructor(
    private readonly server: Server,
    private readonly ways: WaysOn,
  ) {
    const provider = workspace.registerTextDocumentContentProvider(PreviewScheme, this);
    this.subscriptions = Disposable.from(this.diff, provider, this.editing);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    if (uri.query === empty) return '';
    const { text } = await this.server.request<ContentResult>(MethodContent, { uri: uri.toString() });
    return text;
  }

  async show(target: Target): Promise<PreviewResult> {
    const result = await this.server.request<PreviewResult>(MethodPreview, target);
    const there = await this.ways.open(target, result);
    if (result.message && !result.applied) void this.ways.offer(inform, result.message, there, result);
    if (result.files.length === 0) return result;
    await this.saveEdited();
    await keepReply(there);
    if (result.applied) await showChanges(result);
    else await this.diff.show(result, { target: there, text: replyText(there) });
    did('preview');
    return result;
  }

  // outdate marks the preview as out of date, because parts of the reply were left out or included. The button Apply
  // then shows the preview again before it applies anything.
  outdate(uri: string): void {
    const shown = this.diff.about;
    if (shown?.target.uri === uri) shown.text = undefined;
  }

  // applied closes the preview of a reply that was applied elsewhere. If only another part was applied, or if the
  // person edits the preview, it is only marked as out of date.
  async applied({ uri, text, block, at }: Target): Promise<void> {
    const { target, editing } = this.diff.about ?? {};
    if (target?.uri !== uri || target.text !== text) return;
    if (editing || at || (block !== null && block !== target.block)) this.outdate(uri);
    else await this.close();
  }

  // target returns the reply whose preview is the active editor.
  get target(): Target | undefined {
    return this.diff.active?.target;
  }

  // about returns what the preview shows. It opens the reply again, because the person may have closed it since.
  private async about(): Promise<Shown | undefined> {
    const { about } = this.diff;
    if (about && about.target.text === undefined) await workspace.openTextDocument(Uri.parse(about.target.uri));
    return about;
  }

  async apply(): Promise<void> {
    const shown = await this.about();
    if (!shown) return;
    const { target, text, editing } = shown;
    const edited = editing ? await this.editing.edited() : [];
    if (text !== replyText(target)) {
      if (edited.length > 0) {
        return void warn(
          'the reply has changed since this preview, so your edits are not applied. Copy them, and preview again.',
        );
      }
      void warn('the reply has changed since this preview. This is its effect now.');
      await this.show(target);
      return;
    }
    const result = await commands.executeCommand<ApplyResult>(CommandApply, { ...target, unseen: false, edited });
    if (result.applied) await this.close();
  }

  // edit shows the preview again, with right sides that the person can edit. The edited texts are applied instead of
  // the reply's.
  async edit(): Promise<unknown> {
    const { target, editing } = (await this.about()) ?? {};
    if (!target || editing) return undefined;
    const result = await this.server.request<PreviewResult>(MethodPreview, target);
    if (result.applied || result.files.length === 0) return this.show(target);
    this.editing.begin();
    const files = await Promise.all(result.files.map((file) => this.editable(file)));
    const shown = { target, text: replyText(target), editing: true };
    return this.diff.show({ ...result, title: `${result.title} (editable)`, files }, shown);
  }

  private async editable(file: PreviewFile): Promise<PreviewFile> {
    if (!file.right) return file;
    const uri = Uri.parse(file.right);
    const { text } = await this.server.request<ContentResult>(MethodContent, { uri: file.right });
    return { ...file, right: this.editing.add(uri.path, text).toString() };
  }

  // skip leaves the hunk at the cursor, or its whole file, out of the reply.
  async skip(file: boolean): Promise<unknown> {
    const { target, editing } = (await this.about()) ?? {};
    if (editing) return inform(editsFirst);
    const place = placeInPreview();
    if (!target || !place) return inform(clickFirst);
    const params: PartsAtParams = { target, ...place, file };
    const { parts, message } = await this.server.request<PartsAt>(MethodPartsAt, params);
    return message ? inform(`${message}.`) : this.change(target, parts);
  }

  // choose shows all parts of the reply in one list, in which the person can skip and include them.
  async choose(): Promise<unknown> {
    const { target, editing } = (await this.about()) ?? {};
    if (!target) return undefined;
    if (editing) return inform(editsFirst);
    const { blocks } = await this.server.request<Blocks>(MethodBlocks, { uri: target.uri });
    const shown = blocks.filter(({ index }) => target.block === null || target.block === index);
    const changes = await chooseParts(shown, target.uri);
    return changes && this.change(target, changes);
  }

  private async change(target: Target, changes: SkipParams[]): Promise<void> {
    for (const change of changes) await commands.executeCommand(CommandSkip, change);
    const { files } = await this.show(target);
    if (files.length === 0) await this.close();
  }

  async close(): Promise<void> {
    await this.saveEdited();
    await this.diff.close();
  }

  // saveEdited saves the edited texts. Otherwise VS Code would ask the person about them when the preview closes.
  private async saveEdited(): Promise<void> {
    if (this.diff.about?.editing) await this.editing.edited();
  }
}

export const clickFirst = 'click into a file of the preview first.';

// placeInPreview returns the place of the cursor in a file of a preview.
export function placeInPreview(): Pick<PartsAtParams, 'document' | 'line'> | undefined {
  const { document, selection } = window.activeTextEditor ?? {};
  if (!selection || document?.uri.scheme !== PreviewScheme) return undefined;
  return { document: document.uri.toString(), line: selection.active.line };
}

// chooseParts shows the parts of blocks in one list, in which the person can skip and include them. It returns the
// changes, or undefined if there are no parts or the person cancels.
export async function chooseParts(blocks: ListedBlock[], uri: string): Promise<SkipParams[] | undefined> {
  const rows = toldApart(blocks.flatMap(rowsOf));
  if (rows.length === 0) {
    void inform('the reply has no parts that can be skipped.');
    return undefined;
  }
  const picked = await pickMany('Unchecked items are left out', rows);
  return (
    picked &&
    rows.flatMap(({ block, part }, index): SkipParams[] => {
      const mode = picked[index] ? 'include' : 'skip';
      return picked[index] === part.skipped ? [{ uri, block, part: part.part, mode }] : [];
    })
  );
}

interface Row extends Choice {
  block: number;
  part: ListedPart;
}

function rowsOf({ index: block, parts }: ListedBlock): Row[] {
  const row = (part: ListedPart, file: string): Row => {
    const text = part.parts.length === 0 && part.name !== file ? `    ${part.name}` : part.name;
    return { block, part, text, detail: part.skipped ? 'skipped' : part.text, picked: !part.skipped };
  };
  const all = parts.flatMap((file) => [row(file, file.name), ...file.parts.map((part) => row(part, file.name))]);
  return all.filter(({ part }) => part.optional);
}

// toldApart adds the line in the reply to rows with the same text, because several entries may change one file.
function toldApart(rows: Row[]): Row[] {
  return rows.map((row) => {
    if (rows.filter(({ text }) => text === row.text).length === 1) return row;
    return { ...row, detail: [row.detail, lineOf(row.part)].filter(Boolean).join(' · ') };
  });
}

// keepReply keeps the tab of the reply open. The diff would replace a tab that shows the reply only temporarily.
async function keepReply({ uri }: Target): Promise<void> {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const isReply = tab?.input instanceof TabInputText && tab.input.uri.toString() === Uri.parse(uri).toString();
  if (isReply && tab.isPreview) await commands.executeCommand('workbench.action.keepEditor');
}

// emptySide returns the URI for a side of a diff on which the file does not exist.
export function emptySide({ path }: Uri): Uri {
  return Uri.from({ scheme: PreviewScheme, path, query: empty });
}

function replyText({ uri, text }: Target): string | undefined {
  return text ?? openDocument(Uri.parse(uri))?.getText();
}
