// A person decides where they look: in the files after an apply.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const edit = (path, old, next) => `${path}\n\`\`\`\n<<<<<<< SEARCH\n${old}=======\n${next}>>>>>>> REPLACE\n\`\`\`\n\n`;
const reply = [
  edit('shop/cart.py', '"""The shopping cart."""\n', '"""The cart of a customer."""\n'),
  edit('shop/cart.py', '        total = 0\n', '        total = 0  # in cents\n'),
  edit('shop/cart.py', '    def receipt(self):\n', '    def receipt(self):\n        """Lists what was bought."""\n'),
  edit('shop/note.md', '', '# Notes\n'),
].join('');

const { editor, original } = await openSample({ reply });
const cart = () => editor.onDisk()['shop/cart.py'];

test('in the diff, a hunk is skipped at the cursor, and a list brings it back', async () => {
  await editor.openFile('reply.md');
  await editor.run('Aptix: Preview All Blocks');
  await tab('+4 −2 (2 files)').waitFor();
  await changed('# in cents').click();
  await editor.press('Control+k Shift+U', () => tab('+3 −1, 1 skipped (2 files)').isVisible());
  await changed('# in cents').waitFor({ state: 'hidden' });
  await editor.screenshot('review-skipped');
  await editor.button('Choose Files and Hunks').click();
  await listed('shop/note.md').waitFor();
  await editor.screenshot('review-choose');
  await listed('shop/note.md').click();
  await listed('skipped').click();
  await editor.page.keyboard.press('Enter');
  await tab('+3 −2, 1 skipped (1 file)').waitFor();
  await changed('# in cents').waitFor();
  await editor.button('Choose Files and Hunks').click();
  await listed('shop/note.md').click();
  await editor.page.keyboard.press('Enter');
  await tab('+4 −2 (2 files)').waitFor();
  await changed('# in cents').click();
  await editor.run('Aptix: Skip This File');
  await tab('+1 −0, 3 skipped (1 file)').waitFor();
  await editor.button('Choose Files and Hunks').click();
  for (const index of [0, 1, 2]) await listed('skipped').nth(index).click();
  await editor.page.keyboard.press('Enter');
  await tab('+4 −2 (2 files)').waitFor();
  await editor.closeAll();
});

test('what is edited in the preview is what is applied', async () => {
  await editor.openFile('reply.md');
  await editor.lens('Preview').first().click();
  await tab('SEARCH/REPLACE block (1 file)').waitFor();
  await changed('The cart of a customer').waitFor(); // the diff takes the focus from the palette while it opens
  await until(async () => {
    await editor.run('Aptix: Edit before Apply');
    return appears(tab('SEARCH/REPLACE block, to edit (1 file)'), 10_000);
  });
  await changed('The cart of a customer').click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type('  # mine');
  await changed('# mine').waitFor();
  await editor.screenshot('review-edit');
  await editor.button('Apply').click();
  await until(() => cart().startsWith('"""The cart of a customer."""  # mine\n'));
  await tab('to edit').waitFor({ state: 'hidden' });
  await editor.openViews();
  await row(/^reply\.md, edited, 1 file, 1 added, 1 removed.*applied$/).waitFor();
  await editor.screenshot('review-edited');
  await editor.run('Aptix: Revert Last Apply');
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “' });
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await until(() => cart() === original['shop/cart.py']);
  await editor.run('View: Show Explorer');
});

test('changed files are marked until they are looked at', async () => {
  await explorer('shop').click();
  await editor.openFile('reply.md');
  await editor.lens('Apply all 4 Aptix blocks').click();
  await until(() => 'shop/note.md' in editor.onDisk());
  await mark('cart.py').waitFor();
  await mark('note.md').waitFor();
  await editor.inThemes('review-marks');
  await editor.openFile('note.md');
  await mark('note.md').waitFor({ state: 'hidden' });
  await mark('cart.py').waitFor();
});

test('Review Last Apply goes through the hunks; one is kept, one undone alone', async () => {
  await editor.run('Aptix: Review Last Apply');
  await editor.tab('cart.py').waitFor();
  await mark('cart.py').waitFor({ state: 'hidden' });
  await editor.lens('1 of 4, +1 −1 · Next').waitFor();
  await editor.inThemes('review-hunks');
  await editor.lens('Keep').first().click();
  await editor.lens('1 of 3, +1 −1 · Next').waitFor();
  await editor.lens('Undo this hunk').first().click();
  await until(() => cart().includes('        total = 0\n'));
  assert.match(cart(), /^"""The cart of a customer."""/);
  assert.match(cart(), /Lists what was bought/);
  await editor.lens('1 of 2, +1 −0 · Next').waitFor();
  await editor.screenshot('review-undone');
});

test('the history says so, and Ctrl+Z brings the hunk back', async () => {
  await editor.openViews();
  await row(/^Revert of a part of .*, 1 file, 1 added, 1 removed/).waitFor();
  await row(/^.*, 2 files, .*, partly reverted$/).waitFor();
  await editor.screenshot('review-history');
  await fileLine('self.lines = []').click();
  await editor.press('Control+z', () => cart().includes('total = 0  # in cents'));
  await editor.lens('1 of 3, +1 −1 · Next').waitFor();
});

test('keys do the same, through all files to the end', async () => {
  await fileLine('# in cents').click();
  await editor.run('Aptix: Next Hunk');
  await editor.statusBar.getByText('Ln 20,').waitFor();
  await editor.run('Aptix: Previous Hunk');
  await editor.statusBar.getByText('Ln 14,').waitFor();
  await editor.press('Control+k Shift+U', () => cart().includes('        total = 0\n'));
  await editor.lens('1 of 2, +1 −0 · Next').waitFor();
  await editor.press('Control+k Shift+K', () => editor.tab('note.md').isVisible());
  await editor.lens('1 of 1, +1 −0 · Next').waitFor();
  await editor.screenshot('review-created');
  await editor.lens('Undo this hunk').click();
  await until(() => !('shop/note.md' in editor.onDisk()));
  await editor.notification('nothing is left to keep or undo').waitFor();
});

test('what is left of the apply is reverted without a question about later edits', async () => {
  await editor.run('Aptix: Revert Last Apply');
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “' });
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await until(() => cart() === original['shop/cart.py']);
});

test('hunks that were undone stay out of the next apply', async () => {
  await editor.openFile('reply.md');
  await editor
    .lens(/^Skipped · Include this/)
    .first()
    .waitFor();
  await editor.screenshot('review-left-out');
  await editor.lens(/^Apply all/).click();
  await until(() => cart().startsWith('"""The cart of a customer."""\n'));
  await until(() => cart().includes('Lists what was bought'));
  assert.doesNotMatch(cart(), /in cents/);
  assert.ok(!('shop/note.md' in editor.onDisk()));
});

function explorer(name) {
  return editor.page.locator('.explorer-folders-view').getByRole('treeitem', { name });
}

// mark is the badge of a file in the Explorer.
function mark(name) {
  return explorer(name).locator('[class*="itemBadge"], [class*="decoration-badge"]').first();
}

function tab(title) {
  return editor.page.locator('.tab.active', { hasText: title });
}

// changed is a line on the right side of the preview.
function changed(words) {
  return editor.page.locator('.multiDiffEntry .modified .view-line', { hasText: words }).first();
}

function fileLine(words) {
  return editor.page.locator('.editor-group-container.active .editor-instance .view-line', { hasText: words });
}

function listed(text) {
  return editor.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
}

function row(name) {
  return editor.page.getByRole('tree', { name: 'History' }).getByRole('treeitem', { name }).first();
}
