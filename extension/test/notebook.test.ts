import assert from 'node:assert/strict';
import { commands, window, workspace } from 'vscode';
import type { ApplyResult } from '../src/protocol.gen';
import { after, bundleBlock, inBuffers, patchBlock, reply, reset, text, uri, writeOnDisk } from './sample';

describe('notebook', () => {
  beforeEach(reset);

  it('has a reply in a cell, which is applied', async () => {
    const source = reply.split(/(?<=\n)/);
    const cells = [{ cell_type: 'markdown', metadata: {}, source }];
    writeOnDisk('reply.ipynb', JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await workspace.openNotebookDocument(uri('reply.ipynb'));
    await window.showNotebookDocument(notebook);
    const { document } = notebook.cellAt(0);
    const target = { uri: document.uri.toString(), block: null };
    const { applied, verified } = await commands.executeCommand<ApplyResult>('aptix.apply', target);
    assert.deepEqual({ applied, verified }, { applied: true, verified: true });
    for (const file of after(patchBlock, bundleBlock).keys())
      assert.equal(inBuffers().get(file), text(after(patchBlock, bundleBlock), file));
  });
});
