import assert from 'node:assert/strict';
import { commands, Uri, window, workspace } from 'vscode';
import type { PreviewResult } from '../src/protocol.gen';
import { after, bundleBlock, onDisk, original, reset, show, until } from './sample';

describe('preview', () => {
  beforeEach(reset);

  it('shows both sides of each file, and changes none', async () => {
    const { files } = await preview();
    const paths = files.map(({ resource }) => workspace.asRelativePath(Uri.parse(resource)));
    assert.deepEqual(paths.sort(), ['shop/cart.py', 'shop/money.py', 'shop/old_tax.py', 'shop/tax.py']);
    for (const { resource, left, right } of files) {
      const path = workspace.asRelativePath(Uri.parse(resource));
      assert.equal(await virtual(left), original().get(path), `before ${path}`);
      assert.equal(await virtual(right), after(bundleBlock).get(path), `after ${path}`);
    }
    assert.deepEqual(onDisk(), original());
  });

  it('is applied by its button, and closes', async () => {
    const { title } = await preview();
    await until(() => tab(title)?.isActive);
    await commands.executeCommand('aptix.applyPreview');
    assert.deepEqual(onDisk(), after(bundleBlock));
    await until(() => tab(title) === undefined);
  });

  it('is closed by Discard, and nothing has changed', async () => {
    const { title } = await preview();
    await until(() => tab(title)?.isActive);
    await commands.executeCommand('aptix.discardPreview');
    await until(() => tab(title) === undefined);
    assert.deepEqual(onDisk(), original());
  });
});

async function preview(): Promise<PreviewResult> {
  const document = await show('reply.md');
  await until(async () => (await commands.getCommands()).includes('aptix.preview'));
  return await commands.executeCommand<PreviewResult>('aptix.preview', {
    uri: document.uri.toString(),
    block: bundleBlock,
  });
}

async function virtual(uri: string): Promise<string | undefined> {
  return uri ? (await workspace.openTextDocument(Uri.parse(uri))).getText() : undefined;
}

function tab(title: string) {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.startsWith(title));
}
