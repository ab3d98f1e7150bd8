// A person is asked before an apply, and told what undoes it. If a reply is refused, each message has the buttons that lead
// on.
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

const create = (path, content) => `  { "path": "${path}", "operation": "create", "content": "${content}" }`;
const bundle = (...entries) => `\`\`\`json\n{\n"root": ".",\n"files": [\n${entries.join(',\n')}\n]\n}\n\`\`\`\n`;
const half = `First:\n\n${bundle(create('docs/one.md', 'One.\\n'))}\nThen:\n\n${bundle(create('../out.md', 'Out.\\n'))}\nLast:\n\n${bundle(create('docs/three.md', 'Three.\\n'))}`;

const replace = (find) =>
  `  { "path": "README.md", "find": "${find}", "replace": "- Tax comes last.", "limit": "once" }`;
const lacking = `Two of them:

\`\`\`json
{ "root": ".", "patches": [
${replace('- Tax is added at the end.')},
${replace('- Nothing of this kind.')}
] }
\`\`\`

\`\`\`bash
python make.py > docs/made.md
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
  await dialog()
    .getByText(/README\.md: .*part of a longer word/)
    .waitFor();
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
  await editor.statusBar.getByText('Applied 2 files +2 −1. You can undo it.').waitFor();
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
  await editor.notification('Applied 1 file +1 −1.').waitFor();
  await editor.screenshot('question-undo');
  assert.match(editor.onDisk()['README.md'], /^# The corner shop/);
  await editor.answer('Applied 1 file +1 −1.', 'Undo');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('Preview from Clipboard shows it first, and its Apply asks nothing more', async () => {
  await editor.run('Aptix: Preview from Clipboard');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'The corner shop' }).waitFor();
  await editor.screenshot('question-clipboard-preview');
  await editor.button('Apply').click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The corner shop'));
  assert.equal(await dialog().count(), 0);
  await editor.answer('Applied 1 file +1 −1.', 'Undo');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('Ctrl+Z in the reply undoes an apply that changed one file, and so does Ctrl+Z in the file', async () => {
  editor.writeOnDisk('reply.md', oneFile);
  const before = editor.onDisk();
  for (const name of ['reply.md', 'README.md']) {
    await editor.openFile('reply.md');
    await editor.focus();
    await editor.lens('Apply Aptix patch').click();
    await until(() => editor.onDisk()['README.md'].startsWith('# The corner shop')); // the message may be an earlier one
    await editor.statusBar.getByText('Applied 1 file +1 −1. You can undo it.').waitFor();
    await editor.openFile(name);
    await editor.focus();
    await editor.page.keyboard.press('Control+z');
    await until(() => isDeepStrictEqual(editor.onDisk(), before));
    assert.equal(await dialog().count(), 0);
  }
});

test('a preview of a pasted reply with one error names what it lacks', async () => {
  await editor.startOver();
  await editor.lens('Preview').first().waitFor();
  await editor.copy(half);
  await editor.run('Aptix: Preview from Clipboard');
  await editor.notification('1 of 3 blocks cannot be applied').waitFor();
  await editor.diffEntries.filter({ hasText: 'three.md' }).first().waitFor();
  await editor.page.locator('.tab', { hasText: 'Pasted reply' }).waitFor();
  for (const name of ['Apply the Rest…', 'Copy Problems for the Model', 'Show Problems']) {
    const title = editor.notification('1 of 3 blocks').getByRole('button', { name });
    await title.waitFor();
    // Next to two others, the longest title may lose its last letter in a wide font.
    assert.ok(await title.evaluate((shown) => 0.9 * shown.scrollWidth <= shown.clientWidth), `${name} is cut off`);
  }
  await editor.screenshot('refused-preview');
});

test('Copy Problems for the Model copies them', async () => {
  await editor.answer('1 of 3 blocks', 'Copy Problems for the Model');
  await editor.statusBar.getByText('Paste it to the model that wrote the reply').waitFor();
  await until(async () => (await editor.clipboard()).includes('../out.md goes up'));
});

test('Show Problems shows them beside the pasted text, which has lenses', async () => {
  await editor.copy(half);
  await editor.run('Aptix: Apply from Clipboard');
  await editor.answer('Not applied', 'Show Problems');
  await editor.tab('Pasted reply').waitFor();
  await editor.page.locator('.markers-panel .monaco-list-row', { hasText: '../out.md goes up with ..' }).waitFor();
  await editor.state('1 error').waitFor();
  await editor.screenshot('refused-problems');
});

test('Apply the Rest asks, and names what is left out', async () => {
  await editor.run('Aptix: Apply');
  await editor.answer('Not applied', 'Apply the Rest…');
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'left out: block 2' });
  await dialog.waitFor();
  await editor.screenshot('refused-rest');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await until(() => editor.onDisk()['docs/one.md'] === 'One.\n' && 'docs/three.md' in editor.onDisk());
  await editor.state('already applied').first().waitFor();
  await editor.state('1 error').waitFor();
  await editor.screenshot('refused-applied');
});

test('each pasted reply has its own name. One says what it lacks and what is not read', async () => {
  await editor.run('Notifications: Clear All Notifications');
  await editor.copy(lacking);
  await editor.run('Aptix: Preview from Clipboard');
  await editor.page.locator('.tab', { hasText: 'Pasted reply 3' }).click();
  await editor.state('not read: a shell command that writes docs/made.md').waitFor();
  await editor.openViews();
  const row = (name) => editor.page.getByRole('treeitem', { name });
  await row(/^Not read, line 11: a shell command/).waitFor();
  await row(/^Pasted reply 3, 1 error/).waitFor();
  await row(/^README\.md, .*line 5 of the reply$/).waitFor();
  await row(/^README\.md, .*line 6 of the reply$/).waitFor();
  await editor.screenshot('refused-lacking');
});

test('its Fix… leaves the replacement out', async () => {
  await editor.lens('Fix…').first().click();
  await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Leave this replacement out' }).click();
  await editor.state('1 file +1 −1, 1 left out').waitFor();
  await editor.page.getByRole('treeitem', { name: /^README\.md, left out .*line 6 of the reply$/ }).waitFor();
  await editor.screenshot('refused-left-out');
  await editor.lensBeside('not read', 'Copy problems for the model').click();
  await until(async () => /line 11 of the reply: a shell command/.test(await editor.clipboard()));
});

test('what is not read is still named after the rest was applied', async () => {
  await editor.lens(/^Apply Aptix/).click();
  await until(async () => {
    if (await button('Apply').isVisible()) await button('Apply').click();
    return editor.onDisk()['README.md'].includes('- Tax comes last.');
  });
  await editor.lensBeside('already applied, 1 left out', 'Revert').waitFor();
  await editor.copy('');
  await editor.lensBeside('not read: a shell command that writes docs/made.md', 'Copy problems for the model').click();
  await until(async () => /a shell command that writes docs\/made\.md/.test(await editor.clipboard()));
  await editor.screenshot('refused-unread-applied');
});

test('a pasted reply that is closed leaves Replies', async () => {
  const row = editor.page.getByRole('treeitem', { name: /^Pasted reply 3/ });
  await row.waitFor();
  await editor.closeTab('Pasted reply 3');
  await row.waitFor({ state: 'detached' });
  await editor.copy(lacking);
  await editor.run('Aptix: Preview from Clipboard');
  await row.waitFor(); // the same text is shown again
  await editor.run('View: Show Explorer');
});

test('a text without a block says what it has, and can be opened', async () => {
  await editor.run('Notifications: Clear All Notifications');
  await editor.copy('Use this:\n\n```python\nprint("hello")\n```\n');
  await editor.run('Aptix: Preview from Clipboard');
  await editor.notification('the code block in line 3 does not clearly name its file').waitFor();
  await editor.screenshot('refused-no-block');
  await editor.answer('No Aptix block found', 'Copy a Request');
  await until(async () => /file bundle/.test(await editor.clipboard()));
  await editor.copy('Nothing at all.\n');
  await editor.run('Aptix: Apply from Clipboard');
  await editor.answer('the text has no code block', 'Open the Text');
  await until(async () => (await editor.lines()).includes('Nothing at all.'));
});

test('a title above a new file in a new folder is a reply if it comes from the clipboard', async () => {
  await editor.run('Notifications: Clear All Notifications');
  const text = '# Add logging\n\n## `logs/log.py`\n\n```python\nimport logging\n```\n';
  await pasted('title', text, ['logs/log.py (new) +1 −0'], { 'logs/log.py': 'import logging\n' });
});

test('a copy of a rendered chat page is read', async () => {
  const next = editor.onDisk()['shop/cart.py'].replace('total = 0', 'total = 0  # cents');
  const code = (path, text) => `Here is ${path}:\n\npython\nCopy code\n${text}\n`;
  const text = `${code('the updated shop/cart.py', next)}${code('the new shop/page.py', 'PAGE = 1\n\n\ndef page():\n    return PAGE\n')}That is all.\n`;
  const asks = ['shop/cart.py +1 −1', /shop\/cart\.py: this code was copied from a web page and has no fences/];
  await pasted('page', text, asks, { 'shop/cart.py': next });
});

test('a comment with the path above the code is not written', async () => {
  const text = '```typescript\n// filepath: shop/rates.ts\nexport const rate = 19;\n```\n';
  await pasted('filepath', text, ['shop/rates.ts (new) +1 −0'], { 'shop/rates.ts': 'export const rate = 19;\n' });
});

// pasted applies a text from the clipboard. The dialog has some texts, and then the files have others.
async function pasted(picture, text, asks, files) {
  await editor.copy(text);
  await editor.run('Aptix: Apply from Clipboard');
  for (const ask of asks) await dialog().getByText(ask).waitFor();
  await editor.screenshot(`pasted-${picture}`);
  await button('Apply').click();
  await until(() => Object.entries(files).every(([path, text]) => editor.onDisk()[path] === text));
}

test('the file of a code block that names none is chosen, the active editor first', async () => {
  await editor.run('Notifications: Clear All Notifications');
  await editor.openFile('README.md');
  await editor.copy(
    `Use this:\n\n\`\`\`python\n${editor.onDisk()['shop/cart.py'].replace('self.lines = []', 'self.lines = list()')}\`\`\`\n`,
  );
  await editor.run('Aptix: Preview from Clipboard');
  await editor.answer('No Aptix block found', 'Choose the File…');
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
  await editor.answer('it has been edited since in the same place', 'Open Merge Editor');
  await editor.page.locator('.merge-editor').waitFor();
  await editor.page.locator('.merge-editor .view-line', { hasText: 'self.lines = mine()' }).first().waitFor();
  await editor.screenshot('refused-merge-editor');
});

test('Fix and Apply in the message repairs and applies, and the preview goes', async () => {
  const broken = '  { "path": "docs\\\\fixed.md", "operation": "create", "content": "Fixed.\\n" }';
  await editor.startOver();
  await editor.copy(half.replace(/.*\.\.\/out\.md.*/, broken));
  await editor.run('Aptix: Preview from Clipboard');
  const buttons = editor.notification('1 of 3 blocks').getByRole('button');
  await buttons.filter({ hasText: 'Fix and Apply' }).waitFor();
  for (const title of await buttons.all())
    assert.ok(await title.evaluate((shown) => 0.9 * shown.scrollWidth <= shown.clientWidth), 'a title is cut off');
  await editor.screenshot('refused-fixable');
  await editor.answer('1 of 3 blocks', 'Fix and Apply');
  await dialog().getByText('Write the path "docs/fixed.md"').waitFor();
  await button('Apply').click();
  await until(() => editor.onDisk()['docs/fixed.md'] === 'Fixed.\n');
  await editor.diffEntries.first().waitFor({ state: 'detached' });
});
