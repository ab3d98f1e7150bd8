// Saves files after an apply if they had no unsaved text before it. VS Code does the same after a rename or another
// refactoring, and the same setting controls both. Creations and deletions reach the disk immediately, so without
// saving the rest, the disk would have half a change. For the same reason, files are saved after an undo or redo of the
// apply. A person's own unsaved text stays unsaved.
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

// After this many milliseconds the apply ends even if a file is not saved. If another program shortens a file that VS
// Code is copying for its local history, the copy and every later save of that file never end (seen in VS Code 1.139).
const patience = 10_000;

export class Saving implements Disposable {
  // Hashes, by URI, of the texts that an apply found or left in a saved file.
  private readonly texts = new Map<string, Set<string>>();
  private readonly listeners = Disposable.from(
    workspace.onDidChangeTextDocument((event) => this.follow(event)),
    workspace.onDidRenameFiles(({ files }) => files.forEach(({ newUri }) => void this.followRename(newUri))),
  );

  dispose(): void {
    this.listeners.dispose();
  }

  // saved opens files. It returns the files without unsaved text, by their URIs after the edit.
  async saved(files: Edited[]): Promise<Uri[]> {
    const saved: Uri[] = [];
    for (const { before, after } of files) {
      const document = await workspace.openTextDocument(before);
      if (document.isDirty || document.isUntitled) continue; // saving an untitled document would ask for a name
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

  // followRename saves a file after the undo of a rename, which restores first the text and then the name. Saving after
  // the first step would create the file again under the name that it is about to lose, so no text is recorded for that
  // name.
  private async followRename(uri: Uri): Promise<void> {
    const known = this.texts.get(uri.toString());
    if (!known) return;
    const document = await workspace.openTextDocument(uri);
    if (document.isDirty && known.has(hash(document)) && maySave(document)) await document.save();
  }

  // follow saves a document after an undo or redo, although VS Code has not marked the document as dirty yet.
  private follow({ document, reason }: TextDocumentChangeEvent): void {
    const known = this.texts.get(document.uri.toString());
    if (reason === undefined || !known?.has(hash(document))) return;
    if (reason === TextDocumentChangeReason.Undo) did('undo');
    if (maySave(document)) void document.save();
  }
}

// maySave reports whether to save a document. It returns false if saving would run a formatter, which would change more
// than the reply does and prevent an undo of the apply.
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
