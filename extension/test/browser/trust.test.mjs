// A workspace that the person does not trust: everything can be seen, nothing is applied.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

let sample;
let editor;
let original;

before(async () => {
  sample = await openSample({
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
  });
  editor = sample.editor;
  original = editor.onDisk();
});

after(async () => {
  if (editor) await editor.screenshot('last-trust');
  await sample?.close();
});

test('Preview works without trust', async () => {
  await editor.lens('Preview').first().click();
  await editor.diffEntries.filter({ hasText: 'tax.py' }).first().waitFor();
  await editor.button('Discard').click();
});

test('Apply is refused without trust', async () => {
  await editor.lens('Apply Aptix bundle').click();
  await editor.notification('Nothing is applied in a workspace that is not trusted').waitFor();
  await editor.screenshot('untrusted');
  assert.deepEqual(editor.onDisk(), original);
});

test('Apply works once the workspace is trusted', async () => {
  await editor.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await editor.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await editor.page.getByText('You trust this folder').waitFor();
  await editor.page.getByRole('button', { name: 'Close Modal Editor' }).click();
  await until(async () => {
    await editor.lens('Apply Aptix bundle').click();
    return 'shop/tax.py' in editor.onDisk();
  });
});
