// A person whose reply is refused: each message has the buttons that lead on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const create = (path, content) => `  { "path": "${path}", "operation": "create", "content": "${content}" }`;
const bundle = (...entries) => `\`\`\`json\n{\n"root": ".",\n"files": [\n${entries.join(',\n')}\n]\n}\n\`\`\`\n`;
const half = `First:\n\n${bundle(create('docs/one.md', 'One.\\n'))}\nThen:\n\n${bundle(create('../out.md', 'Out.\\n'))}\nLast:\n\n${bundle(create('docs/three.md', 'Three.\\n'))}`;

const { editor } = await openSample();

const button = (text, name) => editor.notification(text).getByRole('button', { name });

test('a preview of a pasted reply with one error names what it lacks', async () => {
  await editor.lens('Preview').first().waitFor();
  await editor.copy(half);
  await editor.run('Aptix: Preview from Clipboard');
  await editor.notification('1 of 3 blocks cannot be applied').waitFor();
  await editor.diffEntries.filter({ hasText: 'three.md' }).first().waitFor();
  await editor.page.locator('.tab', { hasText: 'Pasted reply' }).waitFor();
  for (const name of ['Apply the Rest…', 'Copy Problems for the Model', 'Show Problems']) {
    await button('1 of 3 blocks', name).waitFor();
  }
  await editor.screenshot('refused-preview');
});

test('Copy Problems for the Model copies them', async () => {
  await button('1 of 3 blocks', 'Copy Problems for the Model').click();
  await editor.statusBar.getByText('Paste it to the model that wrote the reply').waitFor();
  assert.match(await editor.page.evaluate(() => navigator.clipboard.readText()), /\.\.\/out\.md/);
});

test('Show Problems shows them beside the pasted text, which has lenses', async () => {
  await editor.copy(half);
  await editor.run('Aptix: Apply from Clipboard');
  await button('Not applied', 'Show Problems').click();
  await editor.tab('Pasted reply').waitFor();
  await editor.page.locator('.markers-panel .monaco-list-row', { hasText: '../out.md goes up with ..' }).waitFor();
  await editor.state('1 error').waitFor();
  await editor.screenshot('refused-problems');
});

test('Apply the Rest asks, and names what is left out', async () => {
  await editor.run('Aptix: Apply');
  await button('Not applied', 'Apply the Rest…').click();
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'left out: block 2 in line' });
  await dialog.waitFor();
  await editor.screenshot('refused-rest');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await until(() => editor.onDisk()['docs/one.md'] === 'One.\n' && 'docs/three.md' in editor.onDisk());
  await editor.state('already applied').first().waitFor();
  await editor.state('1 error').waitFor();
  await editor.screenshot('refused-applied');
});

test('a text without a block says what it has, and can be opened', async () => {
  await editor.run('Notifications: Clear All Notifications');
  await editor.copy('Use this:\n\n```python\nprint("hello")\n```\n');
  await editor.run('Aptix: Preview from Clipboard');
  await editor.notification('the code block in line 3 does not clearly name its file').waitFor();
  await editor.screenshot('refused-no-block');
  await button('No Aptix block found', 'Copy a Request').click();
  await until(async () => /file bundle/.test(await editor.page.evaluate(() => navigator.clipboard.readText())));
  await editor.copy('Nothing at all.\n');
  await editor.run('Aptix: Apply from Clipboard');
  await button('the text has no code block', 'Open the Text').click();
  await until(async () => (await editor.lines()).includes('Nothing at all.'));
});

test('the file of a code block that names none is chosen, the active editor first', async () => {
  await editor.run('Notifications: Clear All Notifications');
  await editor.openFile('README.md');
  await editor.copy(
    `Use this:\n\n\`\`\`python\n${editor.onDisk()['shop/cart.py'].replace('self.lines = []', 'self.lines = list()')}\`\`\`\n`,
  );
  await editor.run('Aptix: Preview from Clipboard');
  await button('No Aptix block found', 'Choose the File…').click();
  const rows = editor.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().filter({ hasText: 'README.md, in the active editor' }).waitFor();
  await rows.nth(1).filter({ hasText: 'shop/cart.py: has ' }).waitFor();
  await editor.screenshot('refused-choose');
  await rows.nth(1).click();
  await editor.page.locator('.modified .view-line', { hasText: 'self.lines = list()' }).first().waitFor();
  await editor.screenshot('refused-chosen');
  await editor.button('Apply').click();
  await until(() => editor.onDisk()['shop/cart.py'].includes('self.lines = list()'));
  await editor.lens('Revert').first().waitFor(); // once all is saved
});

test('a revert that clashes shows what it would do, with the merge editor', async () => {
  editor.writeOnDisk(
    'shop/cart.py',
    editor.onDisk()['shop/cart.py'].replace('self.lines = list()', 'self.lines = mine()'),
  );
  await editor.openViews();
  const row = editor.page.getByRole('treeitem', { name: /^Use this, 1 file.*changed since$/ });
  await row.waitFor();
  await row.hover();
  await row.getByRole('button', { name: 'Revert' }).click();
  const dialog = editor.page.locator('.monaco-dialog-box');
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await dialog.getByRole('button', { name: 'Show What Revert Would Do' }).click();
  await editor.page.locator('.modified .view-line', { hasText: 'self.lines = []' }).first().waitFor();
  await editor.screenshot('refused-clash');
  await button('it was edited since in the same place', 'Open Merge Editor').click();
  await editor.page.locator('.merge-editor').waitFor();
  await editor.page.locator('.merge-editor .view-line', { hasText: 'self.lines = mine()' }).first().waitFor();
  await editor.screenshot('refused-merge-editor');
});
