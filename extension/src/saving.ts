// A file that was saved before an apply is saved after it, as after a rename or another refactoring of VS Code and by
// the same setting: creations and deletions reach the disk at once, and with the rest unsaved the disk would hold
// half a change. For the same reason an undo or redo of the apply is saved. A person's own unsaved text stays unsaved.
import { createHash } from 'node:crypto';
import { type Disposable, type TextDocument, type TextDocumentChangeEvent, type Uri, workspace } from 'vscode';

export class Saving implements Disposable {
  // By URI, the hashes of the texts that an apply found or left in a saved file.
  private readonly texts = new Map<string, Set<string>>();
  private readonly listener = workspace.onDidChangeTextDocument((event) => this.follow(event));

  dispose(): void {
    this.listener.dispose();
  }

  // saved opens files, and gives those that are saved.
  async saved(files: Uri[]): Promise<TextDocument[]> {
    const documents = await Promise.all(files.map((uri) => workspace.openTextDocument(uri)));
    const saved = documents.filter(({ isDirty }) => !isDirty);
    for (const document of saved) this.remember(document);
    return saved;
  }

  async save(documents: TextDocument[]): Promise<void> {
    for (const document of documents) this.remember(document);
    await Promise.all(documents.filter(maySave).map((document) => document.save()));
  }

  private remember(document: TextDocument): void {
    const uri = document.uri.toString();
    this.texts.set(uri, (this.texts.get(uri) ?? new Set()).add(hash(document)));
  }

  // The document is not yet marked as dirty here, and need not be.
  private follow({ document, reason }: TextDocumentChangeEvent): void {
    const known = this.texts.get(document.uri.toString());
    if (reason !== undefined && known?.has(hash(document)) && maySave(document)) void document.save();
  }
}

// What formats on save would change more than the reply does, and be in the way of its undo.
function maySave(document: TextDocument): boolean {
  const files = workspace.getConfiguration('files', document);
  const editor = workspace.getConfiguration('editor', document);
  const cleans = ['trimTrailingWhitespace', 'trimFinalNewlines', 'insertFinalNewline'].some((key) => files.get(key));
  const formats = editor.get('formatOnSave') || Object.keys(editor.get('codeActionsOnSave') ?? {}).length > 0;
  return files.get('refactoring.autoSave') === true && !cleans && !formats;
}

function hash(document: TextDocument): string {
  return createHash('sha256').update(document.getText()).digest('base64');
}
