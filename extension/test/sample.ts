// The sample workspace: its files as they are checked in, and as its reply changes them.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { commands, extensions, type TextDocument, Uri, window, workspace } from 'vscode';

// A tree maps paths to contents.
export type Tree = Map<string, string>;

const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/');
const pristine = onDisk();

export const reply = text(pristine, 'reply.md');

export function uri(file: string): Uri {
  return Uri.joinPath(folder, file);
}

export function text(tree: Tree, file: string): string {
  const found = tree.get(file);
  if (found === undefined) throw new Error(`there is no ${file}`);
  return found;
}

// Documents that VS Code has begun to save but has not saved yet. If a save fails, the document stays in the set.
const saves = new Set<TextDocument>();
workspace.onWillSaveTextDocument(({ document }) => saves.add(document));
workspace.onDidSaveTextDocument((document) => saves.delete(document));
workspace.onDidCloseTextDocument((document) => saves.delete(document));

// reset restores the files, in the editor and on disk, closes all editors, and starts the extension if it is not running.
// It repeats this until all files are right, because a save or a reload from the test before may still be in progress. It also
// waits for the end of each untitled document: VS Code may give its name to the next one, and return the old document for it.
export async function reset(): Promise<void> {
  await until(async () => {
    await putBack();
    const left = workspace.textDocuments.some((document) => document.isUntitled || isChanged(document));
    return saves.size === 0 && !left && isDeepStrictEqual(onDisk(), pristine);
  });
  await extensions.getExtension('aptix.aptix')?.activate();
}

async function putBack(): Promise<void> {
  for (const file of onDisk().keys()) if (!pristine.has(file)) fs.rmSync(uri(file).fsPath);
  for (const [file, contents] of pristine) writeOnDisk(file, contents);
  for (const document of workspace.textDocuments.filter(isChanged)) {
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await commands.executeCommand('workbench.action.closeAllEditors');
}

// writeOnDisk replaces a file with a new one, as git and this program do. It must not shorten the old file, which VS Code
// may just have saved and be copying for its local history: the copy would wait forever for the missing bytes, and every
// later save of the file would wait for the copy.
export function writeOnDisk(file: string, contents: string): void {
  const whole = path.join(path.dirname(folder.fsPath), 'whole-file');
  fs.writeFileSync(whole, contents);
  fs.renameSync(whole, uri(file).fsPath);
}

// isChanged reports whether a document is unsaved or differs from the sample. It ignores files elsewhere, because VS Code
// writes its settings at any time. A document of a file that a test made stays open for a while after the file was removed.
function isChanged(document: TextDocument): boolean {
  const inSample = document.uri.scheme === 'file' && workspace.getWorkspaceFolder(document.uri) !== undefined;
  if (document.uri.scheme === 'file' && !inSample) return false;
  const wanted = inSample ? pristine.get(workspace.asRelativePath(document.uri)) : undefined;
  return document.isDirty || (wanted !== undefined && document.getText() !== wanted);
}

export function original(): Tree {
  return new Map(pristine);
}

export function onDisk(): Tree {
  const names = fs.readdirSync(folder.fsPath, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(path.join(folder.fsPath, name)).isFile());
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(folder.fsPath, name), 'utf8')]));
}

// inBuffers returns the files as a person sees them: unsaved text has precedence over the disk.
export function inBuffers(): Tree {
  const tree = onDisk();
  for (const document of workspace.textDocuments) {
    if (document.isDirty && document.uri.scheme === 'file')
      tree.set(workspace.asRelativePath(document.uri), document.getText());
  }
  return tree;
}

// filesAre waits until the files on disk and the texts that a person sees are as given. An undo or a save may end before VS
// Code has reported it everywhere. A document stays dirty for a moment after its file is written, and in that moment VS
// Code takes the text of an undo for the saved text.
export async function filesAre(saved: Tree, seen = saved): Promise<void> {
  const unsaved = [...seen.keys()].filter((file) => seen.get(file) !== saved.get(file)).sort();
  await until(
    () =>
      isDeepStrictEqual(onDisk(), saved) && isDeepStrictEqual(inBuffers(), seen) && isDeepStrictEqual(dirty(), unsaved),
  );
}

function dirty(): string[] {
  const documents = workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && workspace.getWorkspaceFolder(uri));
  return documents.map(({ uri }) => workspace.asRelativePath(uri)).sort();
}

export async function show(file: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(uri(file));
  await window.showTextDocument(document);
  return document;
}

interface Entry {
  path: string;
  operation?: string;
  content?: string;
  patches?: { find: string; replace: string }[];
  find?: string;
  replace?: string;
}

// The blocks of the reply, counted from 1: a structured patch of two files, and a bundle that also creates and deletes.
export const patchBlock = 1;
export const bundleBlock = 2;

// after returns the tree after some blocks of the reply. It supports only what the sample needs of the
// formats.
export function after(...blocks: number[]): Tree {
  const fences = [...reply.matchAll(/^```json\n(.*?)^```/gms)].map((match) => JSON.parse(match[1] ?? ''));
  const tree = original();
  for (const block of blocks) {
    const entries: Entry[] = fences[block - 1].files ?? fences[block - 1].patches;
    for (const entry of entries) carryOut(tree, entry);
  }
  return tree;
}

function carryOut(tree: Tree, entry: Entry): void {
  if (entry.operation === 'delete') tree.delete(entry.path);
  else if (entry.content !== undefined) tree.set(entry.path, entry.content);
  else for (const step of entry.patches ?? [entry]) tree.set(entry.path, patched(text(tree, entry.path), step));
}

function patched(contents: string, { find = '', replace = '' }: { find?: string; replace?: string }): string {
  return contents.split(find).join(replace);
}

// untitled opens a new document with a text. VS Code may give it the name of an earlier one, whose backup it then restores in
// place of the text; the next document has another name.
export function untitled(content: string): Promise<TextDocument> {
  return until(async () => {
    const document = await workspace.openTextDocument({ language: 'markdown', content });
    return document.getText() === content ? document : undefined;
  });
}

// until waits until a condition is true, as long as the test may take.
export async function until<T>(condition: () => T | undefined | Promise<T | undefined>): Promise<NonNullable<T>> {
  for (;;) {
    const value = await condition();
    if (value) return value;
    await delay(20);
  }
}
