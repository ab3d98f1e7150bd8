// Shows an answer of the chat, or a pasted text, as a read-only document with the lenses, problems and fixes of a
// reply.
import { createHash } from 'node:crypto';
import {
  Disposable,
  TabInputText,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode';
import { ChatScheme } from './protocol.gen';

// Documents whose names begin so are Markdown, as package.json declares.
export const chatTitle = 'Chat answer';
export const pasted = 'Pasted reply';

export class ChatAnswers implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>(); // by URI
  private readonly subscriptions = Disposable.from(
    workspace.registerTextDocumentContentProvider(ChatScheme, this),
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

  // show opens the document of an answer in an editor.
  async show(text: string, name = chatTitle): Promise<TextDocument> {
    const { document } = await window.showTextDocument(this.uriOf(text, name), { preview: false });
    return document;
  }

  // list opens the document of an answer without an editor, for the view of replies.
  async list(text: string): Promise<void> {
    await workspace.openTextDocument(this.uriOf(text, chatTitle));
  }

  // uriOf returns the same URI for the same answer, so that its document has the fixes that were already made. Answers with
  // the same name are numbered.
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

  // closeOld closes the tabs of the last window, which VS Code restores without their texts.
  private async closeOld(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    await window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof TabInputText && input.uri.scheme === ChatScheme),
    );
  }
}
