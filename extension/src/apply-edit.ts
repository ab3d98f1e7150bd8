// A workspace edit of the server as VS Code undoes and redoes it in one step: file operations first, each new file
// with its contents, then all text edits (measured in VS Code 1.139; in mixed order an undo loses operations).
import { Position, Range, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode';
import {
  type AnnotatedTextEdit,
  CreateFile,
  DeleteFile,
  RenameFile,
  type WorkspaceEdit as ServerEdit,
  type SnippetTextEdit,
  TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageclient/node';

// staleDocument is the URI of an open document that is not what the edit was made for. For one that is renamed or
// deleted the server sends an edit of nothing, which has its version.
export function staleDocument(edit: ServerEdit): string | undefined {
  const stale = textEdits(edit).find(({ textDocument: { uri, version } }) => {
    const document = openDocument(Uri.parse(uri));
    return version === null ? document?.isDirty : document?.version !== version;
  });
  return stale?.textDocument.uri;
}

// toWorkspaceEdit lets the reply take part too, so that an undo there takes everything back.
export function toWorkspaceEdit(edit: ServerEdit, reply: TextDocument | undefined): WorkspaceEdit {
  const result = new WorkspaceEdit();
  const created = newContents(edit);
  for (const change of edit.documentChanges ?? []) {
    if (CreateFile.is(change)) {
      result.createFile(Uri.parse(change.uri), { contents: new TextEncoder().encode(created.get(change.uri)) });
    } else if (RenameFile.is(change)) {
      result.renameFile(Uri.parse(change.oldUri), Uri.parse(change.newUri));
    } else if (DeleteFile.is(change)) {
      result.deleteFile(Uri.parse(change.uri), { recursive: change.options?.recursive === true });
    }
  }
  liftVersions(result, edit);
  for (const { textDocument, edits } of textEdits(edit)) {
    if (created.has(textDocument.uri)) continue;
    for (const e of edits) result.replace(Uri.parse(textDocument.uri), range(e), newText(e));
  }
  if (reply) joinUndo(result, edit, reply.uri);
  return result;
}

// liftVersions is for documents that VS Code still holds under the name that a rename gives, of a file that is gone, as
// after an undo. The rename gives such a document its text and a new version, and VS Code would then leave out the text
// edits, which are sent with the old one. It sends no version for what is created, and a creation where the renamed file
// already stands does nothing.
function liftVersions(result: WorkspaceEdit, edit: ServerEdit): void {
  for (const { newUri } of edit.documentChanges?.filter(RenameFile.is) ?? []) {
    const target = Uri.parse(newUri);
    if (openDocument(target)) result.createFile(target, { ignoreIfExists: true });
  }
}

// An Edited file exists, and an edit changes it and leaves it unsaved.
export interface Edited {
  before: Uri;
  after: Uri; // another one where it is renamed
}

export function editedFiles(edit: ServerEdit): Edited[] {
  const created = newContents(edit);
  const renamed = new Map(edit.documentChanges?.filter(RenameFile.is).map(({ oldUri, newUri }) => [newUri, oldUri]));
  return textEdits(edit)
    .filter(({ textDocument, edits }) => edits.length > 0 && !created.has(textDocument.uri))
    .map(({ textDocument: { uri } }) => ({ before: Uri.parse(renamed.get(uri) ?? uri), after: Uri.parse(uri) }));
}

export function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

function textEdits(edit: ServerEdit): TextDocumentEdit[] {
  return edit.documentChanges?.filter(TextDocumentEdit.is) ?? [];
}

// newContents maps each created file to its text, which the server sends as an insertion.
function newContents(edit: ServerEdit): Map<string, string> {
  const contents = new Map(edit.documentChanges?.filter(CreateFile.is).map(({ uri }) => [uri, '']));
  for (const { textDocument, edits } of textEdits(edit)) {
    if (contents.has(textDocument.uri)) contents.set(textDocument.uri, edits.map(newText).join(''));
  }
  return contents;
}

function range({ range: { start, end } }: TextEdit | SnippetTextEdit): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

function newText(edit: TextEdit | AnnotatedTextEdit | SnippetTextEdit): string {
  if ('newText' in edit) return edit.newText;
  throw new Error('a snippet is no exact edit');
}

// joinUndo adds insertions of nothing. They change no document and no version, but put the edit on the reply's undo
// stack, where the person is who clicked the lens. A step of one document alone would be dropped, so a new file joins
// as well. An edit of one file without file operations stays as it is: with a second document VS Code would ask
// at each undo whether all files are meant.
function joinUndo(result: WorkspaceEdit, edit: ServerEdit, reply: Uri): void {
  if (result.has(reply) || edit.documentChanges?.length === 1) return;
  result.insert(reply, new Position(0, 0), '');
  const small = [...newContents(edit)].find(([, text]) => text.length < 1 << 20 && !text.includes('\0'));
  if (small) result.insert(Uri.parse(small[0]), new Position(0, 0), '');
}
