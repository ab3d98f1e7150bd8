// A person with the views of the side bar: finds an entry of a long history by words and by a file, and goes back to it; sees
// which replies are open, leaves a file out, applies from there. Then decides where they look: in the files after an apply.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const edit = (path, old, next) => `${path}\n\`\`\`\n<<<<<<< SEARCH\n${old}=======\n${next}>>>>>>> REPLACE\n\`\`\`\n\n`;
const edits = [
  edit('shop/cart.py', '"""The shopping cart."""\n', '"""The cart of a customer."""\n'),
  edit('shop/cart.py', '        total = 0\n', '        total = 0  # in cents\n'),
  edit('shop/cart.py', '    def receipt(self):\n', '    def receipt(self):\n        """Lists what was bought."""\n'),
  edit('shop/note.md', '', '# Notes\n'),
].join('');

const { editor, original, program, environment } = await openSample();

const rows = (name) => editor.page.getByRole('tree', { name: 'History' }).getByRole('treeitem', { name });
const all = () => rows(/1 file/);

const row = (name) => editor.page.getByRole('tree', { name: 'Replies' }).getByRole('treeitem', { name });
const cart = () => editor.onDisk()['shop/cart.py'];
const box = (name) => row(name).getByRole('checkbox');

// choose clicks the check box of a row until another row says what that does: a row that is drawn again loses the click.
async function choose(name, seen) {
  await until(async () => {
    if (await seen.isVisible()) return true;
    await box(name).click();
    return appears(seen, 10_000);
  });
}

test('words find an entry by its name or by its files', async () => {
  await editor.lens('Preview').first().waitFor();
  await editor.openViews();
  for (const name of ['first.py', 'second.py', 'third.py']) applyOnDisk(name);
  await all().nth(2).waitFor();
  await editor.run('Aptix: Filter History…');
  const input = editor.page.locator('.quick-input-widget input[type=text]').first();
  await until(async () => {
    await input.fill('SECOND input');
    return (await input.inputValue()) === 'SECOND input';
  });
  await editor.page.keyboard.press('Enter');
  await all().nth(2).waitFor({ state: 'detached' });
  await all().first().waitFor();
  assert.equal(await all().count(), 1);
  await editor.screenshot('history-find-words');
});

test('all entries come back', async () => {
  await editor.run('Aptix: Show All History');
  await all().nth(2).waitFor();
});

test('a file has its own history', async () => {
  await editor.run('View: Show Explorer');
  await editor.choose(explorer('third.py'), 'History of This File', all().first());
  await all().nth(1).waitFor({ state: 'detached' });
  assert.equal(await all().count(), 1);
  await editor.screenshot('history-find-file');
  await editor.run('Aptix: Show All History');
  await all().nth(2).waitFor();
});

test('everything after an entry is reverted, after a question that lists it', async () => {
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert everything after' });
  await editor.choose(all().nth(2), 'Revert Everything After This…', dialog);
  await editor.screenshot('history-find-after');
  await dialog.getByRole('button', { name: 'Revert All' }).click();
  const left = [...Object.keys(original), 'first.py'].sort().join();
  await until(() => Object.keys(editor.onDisk()).sort().join() === left);
  await rows(/^Revert of standard input/)
    .nth(1)
    .waitFor();
  await editor.screenshot('history-find-reverted');
});

test('an open reply is listed with its state, and counted on the icon', async () => {
  await editor.openFile('reply.md');
  await editor.lens('Apply Aptix bundle').waitFor();
  await editor.openViews();
  await row(/^reply\.md, \d+ files .*, 2 of 2 blocks ready/).waitFor();
  await editor.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Aptix.*1 reply can be applied/ })
    .waitFor();
});

test('its blocks are below it, with their files and states', async () => {
  await row(/^Block 2, a file bundle, 4 files \+17 −14/).waitFor();
  await row(/^shop\/tax\.py, create \+\d+ −0/).waitFor();
  await row(/^shop\/old_tax\.py, delete \+0 −\d+/).waitFor();
  await editor.screenshot('replies');
});

test('a file whose box is not checked is left out', async () => {
  await choose(/^shop\/tax\.py/, row(/^shop\/tax\.py, skipped/));
  await row(/^Block 2, a file bundle, 3 files .*, 1 skipped/).waitFor();
  await editor.state('1 skipped').waitFor();
  await editor.inThemes('replies-skipped');
  await choose(/^shop\/tax\.py/, row(/^shop\/tax\.py, create/));
});

test('a block whose box is not checked is left out with all its files', async () => {
  await choose(/^Block 1/, row(/^README\.md, skipped/));
  await row(/^tests\/test_cart\.py, skipped/).waitFor();
  await row(/^Block 1, .*, 2 skipped/).waitFor();
  await editor.state('nothing to change, 2 skipped').waitFor();
  await editor.screenshot('replies-block-skipped');
  await choose(/^Block 1/, row(/^README\.md, modify/));
});

test('a row opens its place in the reply', async () => {
  await row(/^shop\/old_tax\.py/).click();
  await until(async () => (await editor.lines()).some((line) => line.includes('old_tax.py')));
});

test('Preview in the row of a block shows its files', async () => {
  await row(/^Block 2/).hover();
  await row(/^Block 2/)
    .getByRole('button', { name: 'Preview' })
    .click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.button('Discard').click();
  await editor.diffEntries.first().waitFor({ state: 'detached' });
});

test('Apply in its row applies all its blocks', async () => {
  await row(/^reply\.md/).hover();
  await row(/^reply\.md/)
    .getByRole('button', { name: 'Apply' })
    .click();
  await row(/^reply\.md, already applied, 0 of 2 blocks ready/).waitFor();
  await row(/^shop\/tax\.py, already applied/).waitFor();
  await until(() => 'shop/tax.py' in editor.onDisk());
  await editor.screenshot('replies-applied');
});

test('in the diff, keys go from hunk to hunk', async () => {
  await editor.startOver(edits);
  await editor.run('Aptix: Preview All Blocks');
  await tab('+4 −2 (2 files)').waitFor();
  await changed('# in cents').waitFor();
  const at = (line) => () => editor.statusBar.getByText(`Ln ${line},`).isVisible();
  await editor.page.locator('.multiDiffEntry .modified .view-line').first().click();
  await editor.press('Alt+F5', at(14));
  await editor.screenshot('review-next');
  await editor.press('Alt+F5', at(20));
  await editor.press('Shift+Alt+F5', at(14));
  await editor.closeAll();
});

test('in the diff, a hunk is skipped at the cursor, and a list brings it back', async () => {
  await editor.openFile('reply.md');
  await editor.run('Aptix: Preview All Blocks');
  await tab('+4 −2 (2 files)').waitFor();
  const number = editor.page.locator('.multiDiffEntry .modified .line-numbers', { hasText: /^14$/ });
  await editor.choose(number, 'Skip This Hunk', tab('+3 −1, 1 skipped (2 files)'));
  await changed('# in cents').waitFor({ state: 'hidden' });
  await editor.screenshot('review-skipped');
  await editor.button('Choose Files and Hunks').click();
  await listed('shop/note.md').waitFor();
  await listed(/skipped · line \d+ of the reply/).waitFor();
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
  await listed('skipped').nth(2).waitFor();
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
    return appears(tab('SEARCH/REPLACE block (editable) (1 file)'), 10_000);
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
  await rows(/^reply\.md, edited, 1 file, 1 added, 1 removed.*applied$/)
    .first()
    .waitFor();
  await editor.screenshot('review-edited');
  await editor.run('Aptix: Revert Last Apply');
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “' });
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await until(() => cart() === original['shop/cart.py']);
  await editor.run('View: Show Explorer');
});

test('changed files are marked until they are looked at', async () => {
  // A click closes a folder that the explorer itself has opened to show the active file.
  await until(async () => (await appears(explorer('cart.py'), 2000)) || void (await explorer('shop').click()));
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

test('the marks go when they are switched off', async () => {
  editor.set('aptix.markChangedFiles', false);
  await mark('cart.py').waitFor({ state: 'hidden' });
  editor.set('aptix.markChangedFiles', true);
});

test('Review Last Apply goes through the hunks; one is kept, one undone alone', async () => {
  await editor.run('Aptix: Review Last Apply');
  await editor.tab('cart.py').waitFor();
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
  await rows(/^Revert of a part of .*, 1 file, 1 added, 1 removed/)
    .first()
    .waitFor();
  await rows(/^.*, 2 files, .*, partly reverted$/)
    .first()
    .waitFor();
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

function applyOnDisk(name) {
  const files = [{ path: name, operation: 'create', content: 'x = 1\n' }];
  const input = `\`\`\`json\n${JSON.stringify({ root: '.', files })}\n\`\`\`\n`;
  execFileSync(program, ['apply'], { cwd: editor.folder, env: environment, input, stdio: 'pipe' });
}

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
