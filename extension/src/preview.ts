// A multi-file diff of what a reply would change. Its texts are virtual documents of the server.
import { commands, Disposable, TabInputText, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import { openDocument } from './apply-edit';
import type { Server } from './client';
import { MultiDiff, showChanges } from './multi-diff';
import { inform, warn } from './notify';
import {
  type ApplyResult,
  CommandApply,
  type ContentResult,
  MethodContent,
  MethodPreview,
  type PreviewResult,
  PreviewScheme,
  type Target,
} from './protocol.gen';
import { did } from './walkthrough';
import type { WaysOn } from './ways';

const empty = 'empty';

interface Shown {
  target: Target;
  version: number | undefined; // of the reply
}

export class Preview implements TextDocumentContentProvider, Disposable {
  private readonly diff = new MultiDiff<Shown>('aptix.preview');
  private readonly subscriptions: Disposable;

  constructor(
    private readonly server: Server,
    private readonly ways: WaysOn,
  ) {
    const provider = workspace.registerTextDocumentContentProvider(PreviewScheme, this);
    this.subscriptions = Disposable.from(this.diff, provider);
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
    await keepReply(there);
    if (result.applied) await showChanges(result);
    else await this.diff.show(result, { target: there, version: replyVersion(there) });
    did('preview');
    return result;
  }

  // outdate marks the preview as out of date, because parts of the reply were left out or included. Apply then first shows
  // the preview again.
  outdate(uri: string): void {
    const shown = this.diff.about;
    if (shown?.target.uri === uri) shown.version = -1;
  }

  // target returns the reply whose preview is the active editor.
  get target(): Target | undefined {
    return this.diff.active?.target;
  }

  async apply(): Promise<void> {
    if (!this.diff.about) return;
    const { target, version } = this.diff.about;
    if (version !== replyVersion(target)) {
      void warn('the reply has changed since this preview. This is its effect now.');
      await this.show(target);
      return;
    }
    const result = await commands.executeCommand<ApplyResult>(CommandApply, { ...target, unseen: false });
    if (result.applied) await this.close();
  }

  close(): Promise<void> {
    return this.diff.close();
  }
}

// keepReply keeps the tab of the reply open. If it only shows the file temporarily, the diff would replace it.
async function keepReply({ uri }: Target): Promise<void> {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const isReply = tab?.input instanceof TabInputText && tab.input.uri.toString() === Uri.parse(uri).toString();
  if (isReply && tab.isPreview) await commands.executeCommand('workbench.action.keepEditor');
}

// emptySide returns the URI for a side of a diff on which the file does not exist.
export function emptySide({ path }: Uri): Uri {
  return Uri.from({ scheme: PreviewScheme, path, query: empty });
}

// A text that is in no document never changes, so it has no version.
function replyVersion(target: Target): number | undefined {
  if (target.text !== undefined) return undefined;
  return openDocument(Uri.parse(target.uri))?.version;
}
