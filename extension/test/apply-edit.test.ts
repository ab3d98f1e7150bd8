import assert from 'node:assert/strict';
import { commands, Position, WorkspaceEdit, workspace } from 'vscode';
import type { WorkspaceEdit as ServerEdit } from 'vscode-languageclient/node';
import { staleDocument, toWorkspaceEdit } from '../src/apply-edit';
import { documents } from '../src/documents';
import { sha256 } from './agent';
import { inBuffers, original, reset, show, until, uri } from './sample';

const first = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

describe('a workspace edit of the server', () => {
  beforeEach(reset);

  it('is stale when an open document has another version', async () => {
    const { version } = await show('README.md');
    assert.equal(staleDocument(insertion('README.md', version)), undefined);
    assert.equal(staleDocument(insertion('README.md', version - 1)), uri('README.md').toString());
  });

  it('is stale when a document is no longer open', () => {
    assert.equal(staleDocument(insertion('shop/cart.py', 7)), uri('shop/cart.py').toString());
  });

  it('is stale when a file has unsaved text that the server does not know', async () => {
    const { uri } = await show('README.md');
    assert.equal(staleDocument(insertion('README.md', null)), undefined);
    const typed = new WorkspaceEdit();
    typed.insert(uri, new Position(0, 0), 'typed');
    await workspace.applyEdit(typed);
    assert.equal(staleDocument(insertion('README.md', null)), uri.toString());
  });

  it('is followed by a report of the texts that VS Code holds, saved or not', async () => {
    const readme = await show('README.md');
    const typed = new WorkspaceEdit();
    typed.insert(readme.uri, new Position(0, 0), 'one\r\ntwo\n');
    await workspace.applyEdit(typed);
    const [open, closed] = [readme.uri.toString(), uri('nowhere.txt').toString()];
    const text = readme.getText().replaceAll('\r\n', '\n');
    assert.deepEqual(documents({ uris: [closed, open] }), {
      documents: [{ uri: open, version: readme.version, sha256: sha256(text) }],
    });
  });

  it('is undone in one step, whatever the order of its parts', async () => {
    const readme = await show('README.md');
    const edit: ServerEdit = {
      documentChanges: [
        ...(insertion('README.md', readme.version).documentChanges ?? []),
        { kind: 'create', uri: uri('new.txt').toString() },
        ...(insertion('new.txt', null).documentChanges ?? []),
        { kind: 'delete', uri: uri('shop/old_tax.py').toString() },
        { kind: 'rename', oldUri: uri('shop/money.py').toString(), newUri: uri('shop/cents.py').toString() },
      ],
    };
    assert.equal(await workspace.applyEdit(toWorkspaceEdit(edit, undefined)), true);
    const wanted = original();
    wanted.set('README.md', `text${wanted.get('README.md')}`);
    wanted.set('new.txt', 'text');
    wanted.set('shop/cents.py', wanted.get('shop/money.py') ?? '');
    wanted.delete('shop/money.py');
    wanted.delete('shop/old_tax.py');
    assert.deepEqual(new Map([...inBuffers()].sort()), new Map([...wanted].sort()));

    await commands.executeCommand('undo');
    await until(() => JSON.stringify([...inBuffers()].sort()) === JSON.stringify([...original()].sort()));
  });

  it('can be undone in the reply even if it only creates files', async () => {
    const document = await show('reply.md');
    const edit: ServerEdit = {
      documentChanges: [
        { kind: 'create', uri: uri('new.txt').toString() },
        ...(insertion('new.txt', null).documentChanges ?? []),
      ],
    };
    assert.equal(await workspace.applyEdit(toWorkspaceEdit(edit, document)), true);
    assert.equal(inBuffers().get('new.txt'), 'text');
    await commands.executeCommand('undo');
    await until(() => !inBuffers().has('new.txt'));
    assert.equal(document.isDirty, false);
  });
});

function insertion(file: string, version: number | null): ServerEdit {
  return {
    documentChanges: [
      { textDocument: { uri: uri(file).toString(), version }, edits: [{ range: first, newText: 'text' }] },
    ],
  };
}
