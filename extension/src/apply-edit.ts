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

// toWorkspaceEdit includes the reply, so that an undo in it undoes everything.
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

// liftVersions creates the new name of a rename where VS Code still holds a document of a deleted file under that name, as
// after an undo. The rename would give the document its text and a new version, and VS Code would then drop the text edits,
// which carry the old version. Edits of a created file carry no version, and creating the renamed file does nothing.
function liftVersions(result: WorkspaceEdit, edit: ServerEdit): void {
  for (const { newUri } of edit.documentChanges?.filter(RenameFile.is) ?? []) {
    const target = Uri.parse(newUri);
    if (openDocument(target)) result.createFile(target, { ignoreIfExists: true });
  }
}

// An Edited file exists, and an edit changes it and leaves it unsaved.
export interface Edited {
  before: Uri;
  after: Uri; // differs from before in a rename
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
  throw new Error('a snippet is not an exact edit');
}

// joinUndo adds empty insertions. They change no document and no version, but put the edit on the undo stack of the reply,
// where the user clicked the lens. VS Code would drop a step of one document alone, so a new file joins as well.
function joinUndo(result: WorkspaceEdit, edit: ServerEdit, reply: Uri): void {
  if (result.has(reply)) return;
  result.insert(reply, new Position(0, 0), '');
  const small = [...newContents(edit)].find(([, text]) => text.length < 1 << 20 && !text.includes('\0'));
  if (small) result.insert(Uri.parse(small[0]), new Position(0, 0), '');
}
