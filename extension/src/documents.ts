// Tells the server which text VS Code has for each file of an edit that was just made. On a busy machine, the language
// client may report these texts much later, so the server waits for them.
import { createHash } from 'node:crypto';
import { Uri, workspace } from 'vscode';
import type { DocumentsParams, DocumentsResult } from './protocol.gen';

// documents handles aptix/documents.
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
