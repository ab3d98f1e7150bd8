// What a person decided about a reply stays decided: what is skipped, what was applied, where it is saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const patchOf = (path, old, next) => `  {
    "path": "${path}",
    "operation": "patch",
    "patches": [{ "find": "${old}", "replace": "${next}", "limit": "once" }]
  }`;
const bundle = (...entries) => `\`\`\`json\n{\n"root": ".",\n"files": [\n${entries.join(',\n')}\n]\n}\n\`\`\`\n`;
const reply = `First:

${bundle(patchOf('README.md', '# Corner shop', '# The shop'), patchOf('shop/tax_notes.md', 'Taxes', 'All taxes'))}
Then:

${bundle('  { "path": "docs/new.md", "operation": "create", "content": "New.\\n" }')}`;

const { editor } = await openSample({ reply });
editor.writeOnDisk('shop/tax_notes.md', 'Taxes\nMore\n');

test('a preview leaves the tab of its reply', async () => {
  editor.writeOnDisk(
    'second.md',
    bundle('  { "path": "docs/second.md", "operation": "create", "content": "New.\\n" }'),
  );
  await editor.page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'second.md' }).click(); // shown for a moment only
  await editor.state('1 file +1 −0').waitFor();
  await editor.lens('Preview').click();
  await editor.button('Discard').waitFor();
  await editor.page.locator('.tab', { hasText: 'second.md' }).waitFor();
  await editor.button('Apply').click();
  await editor.lens('Revert').waitFor();
  await editor.openFile('reply.md');
});

test('a file that is skipped stays skipped after its block was applied', async () => {
  await editor.lens('Skip this file').first().click();
  await editor.lens('Skipped · Include this file').waitFor();
  await editor.lens('Apply Aptix bundle').first().click();
  await editor.state('already applied, 1 skipped').waitFor();
  await editor.lens('Skipped · Include this file').waitFor();
  await editor.screenshot('decided-skipped');
  await editor.lens('Apply all 2 Aptix blocks').click();
  await until(() => 'docs/new.md' in editor.onDisk());
  assert.match(editor.onDisk()['README.md'], /^# Corner shop/);
  assert.match(editor.onDisk()['shop/tax_notes.md'], /^All taxes/);
});

test('it stays skipped when the window opens again, until it is included', async () => {
  await editor.page.reload();
  await editor.lens('Skipped · Include this file').click();
  await editor.state('1 file +1 −1').waitFor();
  await editor.lens('Apply Aptix bundle').first().click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
});

test('what was applied is history: an edit of its lines is no error', async () => {
  await editor.openFile('README.md');
  await editor.focus();
  await editor.page.keyboard.press('Control+Home');
  await editor.page.keyboard.press('Shift+End');
  await editor.page.keyboard.insertText('# A shop of my own');
  await editor.openFile('reply.md');
  await editor.state('applied, changed since').waitFor();
  await editor.lens('Show Changes').first().waitFor();
  assert.equal(await editor.page.locator('.squiggly-error').count(), 0);
  await editor.openViews();
  await editor.page.getByRole('treeitem', { name: /^reply\.md, applied, changed since/ }).waitFor();
  await editor.screenshot('decided-history');
});

test('a reply can be removed from Replies', async () => {
  const row = editor.page.getByRole('treeitem', { name: /^reply\.md, applied, changed since/ });
  await row.hover();
  await row.getByRole('button', { name: 'Remove from Replies' }).click();
  await row.waitFor({ state: 'detached' });
  await editor.lens('Show Changes').first().waitFor({ state: 'detached' });
  await editor.screenshot('decided-removed');
});

test('Fix and Apply in a document without a name applies, and asks for no name', async () => {
  await editor.press('Control+Alt+n', () => editor.tab('Untitled-1').isVisible());
  await editor.page.keyboard.insertText(
    bundle('  { "path": "docs\\\\fixed.md", "operation": "create", "content": "Fixed.\\n" }'),
  );
  await editor.lens('Fix and Apply').click();
  await until(() => editor.onDisk()['docs/fixed.md'] === 'Fixed.\n');
  await editor.lens('Revert').first().waitFor();
  assert.equal(await editor.page.locator('.quick-input-widget:visible, .monaco-dialog-box').count(), 0);
  await editor.screenshot('decided-untitled');
});
