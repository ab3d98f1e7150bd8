// Converts an edit from the server to a workspace edit that VS Code undoes and redoes in one step: file operations
// first, each new file with its contents, then all text edits (measured in VS Code 1.139; in mixed order an undo loses
// operations).
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

// staleDocument returns the URI of an open document whose version differs from the version in the edit. For a document
// that is renamed or deleted, the server sends the version in an empty edit.
export function staleDocument(edit: ServerEdit): string | undefined {
  const stale = textEdits(edit).find(({ textDocument: { uri, version } }) => {
    const document = openDocument(Uri.parse(uri));
    return version === null ? document?.isDirty : document?.version !== version;
  });
  return stale?.textDocument.uri;
}

// toWorkspaceEdit converts an edit. It adds the reply's document to the edit, so that an undo in the reply's editor
// undoes everything.
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
  createRenameTargets(result, edit);
  for (const { textDocument, edits } of textEdits(edit)) {
    if (created.has(textDocument.uri)) continue;
    for (const e of edits) result.replace(Uri.parse(textDocument.uri), range(e), newText(e));
  }
  if (reply) joinUndo(result, edit, reply.uri);
  return result;
}

// createRenameTargets makes the edit first create the new name of a renamed file, if VS Code still has a document of a
// deleted file with that name, for example after an undo. Without the creation, the rename would give the document a
// new version, and VS Code would drop the text edits, which have the old version. Edits of a created file have no
// version. The creation has no other effect.
function createRenameTargets(result: WorkspaceEdit, edit: ServerEdit): void {
  for (const { newUri } of edit.documentChanges?.filter(RenameFile.is) ?? []) {
    const target = Uri.parse(newUri);
    if (openDocument(target)) result.createFile(target, { ignoreIfExists: true });
  }
}

// An Edited is an existing file that an edit changes and leaves unsaved.
export interface Edited {
  before: Uri;
  after: Uri; // differs from `before` if the edit renames the file
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

// newContents maps each created file to its text, which the server sends as an edit of the new file.
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
  throw new Error(
    'the server sent an edit with placeholders (a snippet), which Aptix does not apply; please report this',
  );
}

// joinUndo adds empty insertions, which change no document and no version, but put the edit on the undo stack of the
// reply's editor. VS Code drops an undo step that changes only one document, so a new file gets an insertion, too.
function joinUndo(result: WorkspaceEdit, edit: ServerEdit, reply: Uri): void {
  if (result.has(reply)) return;
  result.insert(reply, new Position(0, 0), '');
  const small = [...newContents(edit)].find(([, text]) => text.length < 1 << 20 && !text.includes('\0'));
  if (small) result.insert(Uri.parse(small[0]), new Position(0, 0), '');
}
