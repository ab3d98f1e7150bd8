// A multi-file diff of what a reply would do. The texts are virtual documents of the server.
import { commands, Disposable, type Tab, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import { openDocument } from './apply-edit';
import type { Server } from './client';
import {
  type ApplyResult,
  CommandApply,
  type ContentResult,
  MethodContent,
  MethodPreview,
  type PreviewFile,
  type PreviewResult,
  PreviewScheme,
  type Target,
} from './protocol.gen';

const contextKey = 'aptix.preview'; // while a preview is the active editor

interface Shown {
  target: Target;
  version: number | undefined; // of the reply
  title: string;
}

export class Preview implements TextDocumentContentProvider, Disposable {
  // One at a time: the API tells no more about the tab of a multi-file diff than its label, and Apply must not be
  // about another reply than the person sees.
  private shown: Shown | undefined;
  private readonly subscriptions: Disposable;

  constructor(private readonly server: Server) {
    this.subscriptions = Disposable.from(
      workspace.registerTextDocumentContentProvider(PreviewScheme, this),
      window.tabGroups.onDidChangeTabs(() => this.update()),
      window.tabGroups.onDidChangeTabGroups(() => this.update()),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const { text } = await this.server.request<ContentResult>(MethodContent, { uri: uri.toString() });
    return text;
  }

  async show(target: Target): Promise<PreviewResult> {
    const result = await this.server.request<PreviewResult>(MethodPreview, target);
    if (result.files.length === 0) {
      void window.showInformationMessage(`Aptix: ${result.message}`);
      return result;
    }
    await this.close();
    this.shown = { target, version: replyVersion(target), title: result.title };
    await commands.executeCommand('vscode.changes', result.title, result.files.map(row));
    return result;
  }

  // outdate makes Apply show the preview of a reply again first: what is left out of the reply has changed.
  outdate(uri: string): void {
    if (this.shown?.target.uri === uri) this.shown.version = -1;
  }

  // The reply whose preview is the active editor.
  get target(): Target | undefined {
    const tab = window.tabGroups.activeTabGroup.activeTab;
    return tab && this.isOurs(tab) ? this.shown?.target : undefined;
  }

  async apply(): Promise<void> {
    if (!this.shown) return;
    const { target, version } = this.shown;
    if (version !== replyVersion(target)) {
      void window.showWarningMessage('Aptix: the reply has changed since this preview. Here is what it does now.');
      await this.show(target);
      return;
    }
    const result = await commands.executeCommand<ApplyResult>(CommandApply, target);
    if (result.applied) await this.close();
  }

  async close(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => this.isOurs(tab));
    this.shown = undefined;
    await window.tabGroups.close(tabs);
  }

  // VS Code adds the number of files to the title.
  private isOurs(tab: Tab): boolean {
    return this.shown !== undefined && tab.label.startsWith(this.shown.title);
  }

  private update(): void {
    void commands.executeCommand('setContext', contextKey, this.target !== undefined);
  }
}

function row({ resource, left, right }: PreviewFile): [Uri, Uri | undefined, Uri | undefined] {
  return [Uri.parse(resource), left ? Uri.parse(left) : undefined, right ? Uri.parse(right) : undefined];
}

function replyVersion(target: Target): number | undefined {
  return openDocument(Uri.parse(target.uri))?.version;
}
