// Shows an answer of the chat, or a pasted text, as a read-only document with the lenses, problems and fixes of a
// reply.
import { createHash } from 'node:crypto';
import {
  commands,
  Disposable,
  type Tab,
  TabInputText,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode';
import { ChatScheme, CommandCheck, CommandDismiss } from './protocol.gen';

// Documents whose names begin with these titles are Markdown, as package.json declares.
export const chatTitle = 'Chat answer';
export const pasted = 'Pasted reply';

export class ChatAnswers implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>(); // by URI
  private readonly hidden = new Set<string>(); // URIs of answers that were closed or removed from Replies
  private readonly subscriptions = Disposable.from(
    workspace.registerTextDocumentContentProvider(ChatScheme, this),
    // VS Code keeps the document of a closed tab for minutes, but the answer must disappear from Replies and the
    // problems at once.
    window.tabGroups.onDidChangeTabs(({ closed, opened }) => {
      const open = answersIn(window.tabGroups.all.flatMap(({ tabs }) => tabs));
      for (const uri of answersIn(closed)) if (!open.includes(uri)) void tell(CommandDismiss, uri);
      for (const uri of answersIn(opened)) this.unhide(uri);
    }),
    workspace.onDidChangeTextDocument(({ document }) => this.keep(document)),
  );

  constructor() {
    void this.closeOld();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(text: string, name = chatTitle): Promise<TextDocument> {
    const { document } = await window.showTextDocument(this.uriOf(text, name), { preview: false });
    this.unhide(document.uri.toString());
    return document;
  }

  // list opens the document of an answer without an editor, for the view of replies.
  async list(text: string): Promise<void> {
    await workspace.openTextDocument(this.uriOf(text, chatTitle));
  }

  // hide records that the server no longer shows anything about an answer.
  hide(uri: string): void {
    this.hidden.add(Uri.parse(uri).toString());
  }

  private unhide(uri: string): void {
    if (this.hidden.delete(uri)) void tell(CommandCheck, uri);
  }

  // uriOf returns the same URI for the same answer, so that its document has the fixes that were already made. Answers
  // with the same name are numbered.
  private uriOf(text: string, name: string): Uri {
    const id = createHash('sha256').update(`${name} ${text}`).digest('hex').slice(0, 8);
    const known = [...this.texts.keys()].map((uri) => Uri.parse(uri).path);
    const path = known.find((path) => path.startsWith(`/${id}/`));
    if (path) return Uri.from({ scheme: ChatScheme, path });
    const before = known.filter((path) => path.slice(10).startsWith(name)).length;
    const uri = Uri.from({ scheme: ChatScheme, path: `/${id}/${before ? `${name} ${before + 1}` : name}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  // keep stores the text after a fix, because VS Code reads it again when it next opens the document.
  private keep(document: TextDocument): void {
    if (document.uri.scheme === ChatScheme) this.texts.set(document.uri.toString(), document.getText());
  }

  // closeOld closes the tabs of answers that VS Code restored after a restart, because their texts are lost.
  private async closeOld(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    await window.tabGroups.close(tabs.filter((tab) => answersIn([tab]).length > 0));
  }
}

function answersIn(tabs: readonly Tab[]): string[] {
  const uris = tabs.flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []));
  return uris.filter(({ scheme }) => scheme === ChatScheme).map(String);
}

// tell runs a command of the server. It ignores errors, because the server might not be running.
function tell(command: string, uri: string): Thenable<unknown> {
  return commands.executeCommand(command, { uri, block: null }).then(undefined, () => {});
}
