// A tab with a multi-file diff and buttons. There is only one tab at a time: a button must act on the diff that the
// person sees, but the API reveals only the label of the tab.
import { commands, Disposable, type Tab, Uri, window } from 'vscode';
import { line } from './escape';
import type { PreviewFile, PreviewResult } from './protocol.gen';

export class MultiDiff<About> implements Disposable {
  private shown: { title: string; about: About } | undefined;
  private readonly subscriptions: Disposable;

  // contextKey names the context key that is true while the tab is the active editor.
  constructor(private readonly contextKey: string) {
    this.subscriptions = Disposable.from(
      window.tabGroups.onDidChangeTabs(() => this.update()),
      window.tabGroups.onDidChangeTabGroups(() => this.update()),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  async show(result: PreviewResult, about: About): Promise<void> {
    await this.close();
    this.shown = { title: line(result.title), about };
    await showChanges(result);
  }

  // about returns the subject of the diff, even if the diff is not the active editor.
  get about(): About | undefined {
    return this.shown?.about;
  }

  get active(): About | undefined {
    const tab = window.tabGroups.activeTabGroup.activeTab;
    return tab && this.isOurs(tab) ? this.about : undefined;
  }

  async close(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => this.isOurs(tab));
    this.shown = undefined;
    const active = tabs.some((tab) => tab.isActive && tab.group.isActive);
    await window.tabGroups.close(tabs, !active); // does not move the focus of a person who types elsewhere
  }

  // isOurs compares only the beginning of the label, because VS Code adds the number of files to the title.
  private isOurs(tab: Tab): boolean {
    return this.shown !== undefined && tab.label.startsWith(this.shown.title);
  }

  private update(): void {
    void commands.executeCommand('setContext', this.contextKey, this.active !== undefined);
  }
}

export function showChanges({ title, files }: PreviewResult): Thenable<void> {
  return commands.executeCommand('vscode.changes', line(title), files.map(row));
}

function row({ resource, left, right }: PreviewFile): [Uri, Uri | undefined, Uri | undefined] {
  return [Uri.parse(resource), left ? Uri.parse(left) : undefined, right ? Uri.parse(right) : undefined];
}

// openMergeEditor opens VS Code's merge editor for a file whose later edits clash with a revert. The person decides
// about each clash, and the result is written to the file.
export function openMergeEditor({ resource, left, right, base }: PreviewFile): Thenable<unknown> {
  return commands.executeCommand('_open.mergeEditor', {
    base: Uri.parse(base ?? ''),
    input1: { uri: Uri.parse(left), title: 'Now' },
    input2: { uri: Uri.parse(right), title: 'Before the change' },
    output: Uri.parse(resource),
  });
}
