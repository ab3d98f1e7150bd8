// A file that was saved before an apply is saved after it, as after a rename or another refactoring of VS Code and by
// the same setting: creations and deletions reach the disk at once, and with the rest unsaved the disk would hold
// half a change. For the same reason an undo or redo of the apply is saved. A person's own unsaved text stays unsaved.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Disposable,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  type Uri,
  workspace,
} from 'vscode';
import { type Edited, openDocument } from './apply-edit';
import { did } from './walkthrough';

// Where another program shortens a file that VS Code is copying for its local history, the copy and each later save of that
// file never end (seen in VS Code 1.139). After so many milliseconds the apply ends anyway, with the file unsaved.
const patience = 10_000;

export class Saving implements Disposable {
  // By URI, the hashes of the texts that an apply found or left in a saved file.
  private readonly texts = new Map<string, Set<string>>();
  private readonly listeners = Disposable.from(
    workspace.onDidChangeTextDocument((event) => this.follow(event)),
    workspace.onDidRenameFiles(({ files }) => files.forEach(({ newUri }) => void this.followRename(newUri))),
  );

  dispose(): void {
    this.listeners.dispose();
  }

  // saved opens files, and returns those that are saved, by their URI after the edit.
  async saved(files: Edited[]): Promise<Uri[]> {
    const saved: Uri[] = [];
    for (const { before, after } of files) {
      const document = await workspace.openTextDocument(before);
      if (document.isDirty || document.isUntitled) continue; // a save of one without a name asks for the name
      this.remember(before, document);
      saved.push(after);
    }
    return saved;
  }

  async save(files: Uri[]): Promise<void> {
    const documents = files.map(openDocument).filter((document) => document !== undefined);
    for (const document of documents) this.remember(document.uri, document);
    const saves = documents.filter(maySave).map((document) => document.save());
    await Promise.race([Promise.all(saves), delay(patience)]);
  }

  private remember(uri: Uri, document: TextDocument): void {
    const key = uri.toString();
    this.texts.set(key, (this.texts.get(key) ?? new Set()).add(hash(document)));
  }

  // An undo restores the text before the name. A save in between would create the file again under the name that it loses,
  // so that text is not known there, and is saved here.
  private async followRename(uri: Uri): Promise<void> {
    const known = this.texts.get(uri.toString());
    if (!known) return;
    const document = await workspace.openTextDocument(uri);
    if (document.isDirty && known.has(hash(document)) && maySave(document)) await document.save();
  }

  // The document is not yet marked as dirty here, and need not be.
  private follow({ document, reason }: TextDocumentChangeEvent): void {
    const known = this.texts.get(document.uri.toString());
    if (reason === undefined || !known?.has(hash(document))) return;
    if (reason === TextDocumentChangeReason.Undo) did('undo');
    if (maySave(document)) void document.save();
  }
}

// A formatter on save would change more than the reply does, and obstruct its undo.
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
