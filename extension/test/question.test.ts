import assert from 'node:assert/strict';
import { commands, env, window } from 'vscode';
import type { ApplyResult } from '../src/protocol.gen';
import { Dialogs } from './dialogs';
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
  until,
} from './sample';

describe('the question before an apply', () => {
  let dialogs: Dialogs;

  beforeEach(async () => {
    await reset();
    await env.clipboard.writeText(reply);
    await show('README.md');
    dialogs = new Dialogs();
  });
  afterEach(() => dialogs.restore());

  it('names the files and counts of a text from the clipboard', async () => {
    dialogs.answerWith(undefined, 'Apply');
    await commands.executeCommand('aptix.applyClipboard');
    assert.deepEqual(inBuffers(), original());
    await commands.executeCommand('aptix.applyClipboard');
    await filesAre(after(patchBlock, bundleBlock));
    assert.match(
      String(dialogs.asked[0]),
      /^Apply 6 files \+\d+ −\d+\?\n• README\.md \+1 −1\n.*• shop\/tax\.py \(new\) \+10 −0\n/s,
    );
  });

  it('shows the preview first, whose button does not ask again', async () => {
    dialogs.answerWith('Preview');
    await commands.executeCommand('aptix.applyClipboard');
    const preview = await until(previewed);
    await until(() => preview.isActive);
    assert.deepEqual(inBuffers(), original());
    await commands.executeCommand('aptix.applyPreview');
    await filesAre(after(patchBlock, bundleBlock));
    await until(() => !previewed());
    assert.equal(dialogs.asked.length, 1);
  });

  it('is not asked again by a preview from the clipboard', async () => {
    dialogs.answerWith();
    await commands.executeCommand('aptix.previewClipboard');
    await until(() => previewed()?.isActive);
    await commands.executeCommand('aptix.applyPreview');
    await filesAre(after(patchBlock, bundleBlock));
    assert.deepEqual(dialogs.asked, []);
  });

  it('is the same one for a second apply while it is open', async () => {
    let answer: (choice: string) => void = () => {};
    dialogs.answerWith(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const [first, second] = [1, 2].map(() => commands.executeCommand<ApplyResult>('aptix.applyClipboard'));
    await until(() => dialogs.asked.length > 0);
    answer('Apply');
    assert.equal((await first)?.applied, true);
    assert.equal((await second)?.applied, true);
    await filesAre(after(patchBlock, bundleBlock));
    assert.equal(dialogs.asked.length, 1);
  });

  it('ends with the server, and a second apply asks again', async () => {
    let late: (choice: string) => void = () => {};
    dialogs.answerWith(
      new Promise((resolve) => {
        late = resolve;
      }),
      'Apply',
    );
    const first = commands.executeCommand<ApplyResult>('aptix.applyClipboard');
    await until(() => dialogs.asked.length > 0);
    await commands.executeCommand('aptix.restart');
    assert.match((await first).message, /^the server stopped while it asked you/);
    late('Apply');
    await commands.executeCommand('aptix.applyClipboard');
    await filesAre(after(patchBlock, bundleBlock));
    assert.deepEqual(onDisk(), after(patchBlock, bundleBlock));
  });
});

function previewed() {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.startsWith('Aptix: '));
}
