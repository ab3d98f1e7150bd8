import assert from 'node:assert/strict';
import {
  ConfigurationTarget,
  commands,
  Position,
  Selection,
  type TextDocument,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { ApplyResult } from '../src/protocol.gen';
import {
  after,
  bundleBlock,
  filesAre,
  inBuffers,
  onDisk,
  original,
  patchBlock,
  reply,
  reset,
  show,
  text,
  until,
  untitled,
} from './sample';

describe('apply', () => {
  beforeEach(reset);

  it('changes the disk and the buffers, and saves what was saved', async () => {
    const result = await apply(await show('reply.md'), null);
    assert.deepEqual(
      { applied: result.applied, verified: result.verified, left: result.left },
      { applied: true, verified: true, left: [] },
    );
    assert.deepEqual(onDisk(), after(patchBlock, bundleBlock));
    assert.deepEqual(inBuffers(), after(patchBlock, bundleBlock));
  });

  it('is undone by one undo in the reply, and redone', async () => {
    const document = await show('reply.md');
    const { version } = document;
    await apply(document, bundleBlock);
    await commands.executeCommand('undo');
    await filesAre(original());
    assert.equal(document.version, version);
    await commands.executeCommand('redo');
    await filesAre(after(bundleBlock));
    assert.equal((await apply(document, bundleBlock)).message.startsWith('Nothing to change'), true);
  });

  it('is undone by one undo in a file that it changed', async () => {
    await apply(await show('reply.md'), null);
    await show('shop/cart.py');
    await commands.executeCommand('undo');
    await filesAre(original());
  });

  it('changes nothing the second time', async () => {
    const document = await show('reply.md');
    await apply(document, null);
    const again = await apply(document, null);
    assert.deepEqual({ applied: again.applied, verified: again.verified }, { applied: false, verified: true });
    assert.deepEqual(inBuffers(), after(patchBlock, bundleBlock));
  });

  it('leaves the text that a person has not saved, and leaves it unsaved', async () => {
    const own = '\nMy own words.\n';
    const readme = await show('README.md');
    const edit = new WorkspaceEdit();
    edit.insert(readme.uri, new Position(readme.lineCount, 0), own);
    await workspace.applyEdit(edit);

    const result = await apply(await show('reply.md'), patchBlock);
    assert.equal(result.verified, true);
    assert.equal(readme.getText(), text(after(patchBlock), 'README.md') + own);
    assert.equal(readme.isDirty, true);
    assert.equal(onDisk().get('README.md'), original().get('README.md'));
    assert.equal(onDisk().get('tests/test_cart.py'), after(patchBlock).get('tests/test_cart.py'));
  });

  it('saves no file that VS Code would change on saving', async () => {
    const files = workspace.getConfiguration('files');
    await files.update('trimTrailingWhitespace', true, ConfigurationTarget.Global);
    try {
      const result = await apply(await show('reply.md'), patchBlock);
      assert.equal(result.verified, true);
      assert.deepEqual(inBuffers(), after(patchBlock));
      assert.deepEqual(onDisk(), original());
    } finally {
      await files.update('trimTrailingWhitespace', undefined, ConfigurationTarget.Global);
    }
  });

  it('refuses a block with an error, and changes nothing', async () => {
    const content =
      '```json\n{"root": ".", "files": [{"path": "README.md", "operation": "create", "content": "x"}]}\n```\n';
    const document = await untitled(content);
    const result = await apply(document, 1);
    assert.equal(result.applied, false);
    assert.notEqual(result.message, '');
    assert.deepEqual(inBuffers(), original());
  });

  it('takes a selection', async () => {
    const document = await show('reply.md');
    const begin = document.positionAt(reply.lastIndexOf('```json'));
    const end = document.lineAt(document.lineCount - 1).range.end;
    await window.showTextDocument(document, { selection: new Selection(begin, end) });
    await commands.executeCommand('aptix.applySelection');
    await filesAre(after(bundleBlock));
  });
});

async function apply(document: TextDocument, block: number | null): Promise<ApplyResult> {
  const target = { uri: document.uri.toString(), block };
  await until(async () => (await commands.getCommands()).includes('aptix.apply'));
  return await commands.executeCommand<ApplyResult>('aptix.apply', target);
}
