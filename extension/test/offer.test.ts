import assert from 'node:assert/strict';
import { CancellationTokenSource, commands } from 'vscode';
import { call, docPath, offered, sha256, showOffer, succeed } from './agent';
import {
  after,
  bundleBlock,
  filesAre,
  inBuffers,
  original,
  patchBlock,
  reply,
  reset,
  show,
  type Tree,
  text,
  until,
} from './sample';

interface Written {
  id: string;
  batchId: string;
  files: { changes: { changeId: string }[] }[];
  applied: boolean;
}

const file = 'shop/money.py';

describe('an offer', () => {
  beforeEach(reset);

  it('is applied when the person accepts, and undone by one undo', async () => {
    await show(file);
    const answer = call<Written>('workspace_write_patch', patch());
    await showOffer();
    assert.deepEqual(inBuffers(), original());
    await commands.executeCommand('aptix.applyOffer');
    const { successful, errors, result } = await answer;
    assert.deepEqual({ successful, errors, applied: result.applied }, { successful: true, errors: [], applied: true });
    await filesAre(patched());
    await until(() => !offered());

    const id = result.files[0]?.changes[0]?.changeId;
    const { batch } = await succeed<{ batch: { batchId: string } }>('get_patch_change', { id });
    assert.equal(batch.batchId, result.batchId);
    await show(file);
    await commands.executeCommand('undo');
    await filesAre(original());
  });

  it('changes nothing when the user discards it, and the agent learns of it', async () => {
    const answer = call('workspace_write_patch', patch());
    await showOffer();
    await commands.executeCommand('aptix.discardOffer');
    const { successful, errors } = await answer;
    assert.equal(successful, false);
    assert.equal(errors.length, 1);
    await until(() => !offered());
    assert.deepEqual(inBuffers(), original());
  });

  it('stays when its diff is closed, and is shown again', async () => {
    const answer = call('workspace_write_patch', patch());
    await showOffer();
    await commands.executeCommand('workbench.action.closeActiveEditor');
    await until(() => !offered());
    await showOffer();
    await commands.executeCommand('aptix.discardOffer');
    assert.equal((await answer).successful, false);
  });

  it('disappears when the agent gives up', async () => {
    const source = new CancellationTokenSource();
    const answer = call('workspace_write_patch', patch(), source.token).catch(() => undefined);
    await showOffer();
    source.cancel();
    await until(() => !offered());
    await answer;
    await commands.executeCommand('aptix.applyOffer');
    assert.deepEqual(inBuffers(), original());
  });

  it('waits until the one before is answered', async () => {
    const first = call('workspace_write_patch', patch());
    await showOffer();
    const second = call('aptix_apply', { text: reply });
    await commands.executeCommand('aptix.discardOffer');
    assert.equal((await first).successful, false);
    await until(() => !offered());
    await showOffer();
    await commands.executeCommand('aptix.applyOffer');
    assert.equal((await second).successful, true);
    await filesAre(after(patchBlock, bundleBlock));
  });

  it('disappears when the server ends', async () => {
    const answer = call('workspace_write_patch', patch()).catch(() => undefined);
    await showOffer();
    await commands.executeCommand('aptix.restart');
    await until(() => !offered());
    await answer;
    assert.deepEqual(inBuffers(), original());
  });

  it('creates and deletes files, and is taken back', async () => {
    const answer = call<{ id: string }>('aptix_apply', { text: reply });
    await showOffer();
    await commands.executeCommand('aptix.applyOffer');
    const { id } = (await answer).result;
    await filesAre(after(patchBlock, bundleBlock));
    const reverted = succeed('aptix_revert', { id });
    await showOffer();
    await commands.executeCommand('aptix.applyOffer');
    await reverted;
    await filesAre(original());
  });
});

function patch(): object {
  const lines = text(original(), file).split('\n');
  const line = lines.findIndex((line) => line.includes('(cents / 100, cents % 100)'));
  const old = lines[line] ?? '';
  return {
    files: [
      {
        docPath: docPath(file),
        originalSha256: sha256(text(original(), file)),
        changes: [
          {
            operation: 'replace',
            startLine: line + 1,
            endLine: line + 1,
            expectedOriginalLines: [old],
            newLines: [old.replace('(cents / 100, cents % 100)', 'divmod(cents, 100)')],
          },
        ],
      },
    ],
  };
}

function patched(): Tree {
  const before = text(original(), file);
  return original().set(file, before.replace('(cents / 100, cents % 100)', 'divmod(cents, 100)'));
}
