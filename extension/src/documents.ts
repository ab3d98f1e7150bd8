// What VS Code holds of the files of an edit, once the edit is made. The language client may report it much later on a busy
// machine; by this answer the server knows what it has to wait for.
import { createHash } from 'node:crypto';
import { Uri, workspace } from 'vscode';
import type { DocumentsParams, DocumentsResult } from './protocol.gen';

// documents answers aptix/documents.
export function documents({ uris }: DocumentsParams): DocumentsResult {
  const open = new Map(workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  return {
    documents: uris.flatMap((uri) => {
      const document = open.get(Uri.parse(uri).toString());
      if (!document) return [];
      const text = document.getText().replaceAll('\r\n', '\n');
      return [{ uri, version: document.version, sha256: createHash('sha256').update(text).digest('hex') }];
    }),
  };
}
