// A workspace that the person does not trust: everything can be seen, nothing is applied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { inTime, until, within } from './until.mjs';

const { editor, original } = await openSample({
  overrides: {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
  },
});

test('Preview works without trust', async () => {
  await editor.lensBeside('Apply Aptix bundle', 'Preview').click();
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
    await inTime(() => editor.lens('Apply Aptix bundle').click({ timeout: 3000 })); // gone once it is applied
    return within(3000, () => 'shop/tax.py' in editor.onDisk());
  });
});
