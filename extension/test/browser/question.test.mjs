// A person is asked before an apply, and told what undoes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

// The find is in a longer word, and the second file is new.
const doubtful = `\`\`\`json
{
  "root": ".",
  "files": [
    {
      "path": "README.md",
      "operation": "patch",
      "patches": [{ "find": "Price", "replace": "Prize", "limit": "once" }]
    },
    { "path": "docs/new.md", "operation": "create", "content": "New.\\n" }
  ]
}
\`\`\`
`;

const oneFile = `\`\`\`diff
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# Corner shop
+# The corner shop
 
 Prices a shopping cart.
\`\`\`
`;

const { editor, original } = await openSample({ reply: doubtful });
const dialog = () => editor.page.locator('.monaco-dialog-box');
const button = (name) => dialog().getByRole('button', { name, exact: true });

test('a doubt is asked about in a dialog that names the files and the reason', async () => {
  await editor.focus();
  await editor.lens('Apply Aptix bundle').click();
  await dialog().getByText('Apply 2 files +2 −1?').waitFor();
  await dialog().getByText('docs/new.md (new) +1 −0').waitFor();
  await dialog().getByText('part of a longer word').waitFor();
  await editor.screenshot('question');
  await button('Cancel').click();
  await dialog().waitFor({ state: 'detached' });
  assert.deepEqual(editor.onDisk(), original);
  assert.equal(await editor.notification('').count(), 0);
});

test('the dialog can be read in dark and in high contrast', async () => {
  await editor.inOtherThemes(async (theme) => {
    await editor.focus();
    await editor.lens('Apply Aptix bundle').click();
    await dialog().getByText('part of a longer word').waitFor();
    await editor.screenshot(`question-${theme}`);
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
  });
});

test('a second Apply asks again, and Preview shows the change with its own Apply', async () => {
  await editor.lens('Apply Aptix bundle').click();
  await button('Preview').click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'Prizes a shopping cart' }).waitFor();
  await editor.button('Apply').waitFor();
  await editor.screenshot('question-preview');
  assert.deepEqual(editor.onDisk(), original);
  await editor.button('Apply').click();
  await editor.statusBar.getByText('Applied 2 files +2 −1. Undo takes it back.').waitFor();
  assert.equal(editor.onDisk()['docs/new.md'], 'New.\n');
  assert.equal(await dialog().count(), 0);
  await editor.focus();
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('a text from the clipboard is asked about before it is applied, and its message undoes it', async () => {
  await editor.closeAll();
  await editor.copy(oneFile);
  await editor.run('Aptix: Apply from Clipboard');
  await dialog().getByText('Apply 1 file +1 −1?').waitFor();
  await dialog().getByText('README.md +1 −1').waitFor();
  await editor.screenshot('question-clipboard');
  await button('Apply').click();
  const message = editor.notification('Applied 1 file +1 −1.');
  await message.waitFor();
  await editor.screenshot('question-undo');
  assert.match(editor.onDisk()['README.md'], /^# The corner shop/);
  await message.getByRole('button', { name: 'Undo' }).click();
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('Preview from Clipboard shows it first, and its Apply asks nothing more', async () => {
  await editor.run('Aptix: Preview from Clipboard');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'The corner shop' }).waitFor();
  await editor.screenshot('question-clipboard-preview');
  await editor.button('Apply').click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The corner shop'));
  assert.equal(await dialog().count(), 0);
  await editor.notification('Applied 1 file +1 −1.').getByRole('button', { name: 'Undo' }).click();
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('Ctrl+Z in the reply undoes an apply that changed one file, and so does Ctrl+Z in the file', async () => {
  editor.writeOnDisk('reply.md', oneFile);
  const before = editor.onDisk();
  for (const name of ['reply.md', 'README.md']) {
    await editor.openFile('reply.md');
    await editor.focus();
    await editor.lens('Apply Aptix patch').click();
    await editor.statusBar.getByText('Applied 1 file +1 −1. Undo takes it back.').waitFor();
    await editor.openFile(name);
    await editor.focus();
    await editor.page.keyboard.press('Control+z');
    await until(() => isDeepStrictEqual(editor.onDisk(), before));
    assert.equal(await dialog().count(), 0);
  }
});
