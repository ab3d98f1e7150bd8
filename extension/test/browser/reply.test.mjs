// A person with a reply in the editor: looks, previews, applies, undoes, redoes. Then with a git patch, whose hunks can be
// left out, and with SEARCH/REPLACE blocks, which have VS Code's own lenses of merge conflicts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const patch = `The shop gets its article, and the tax its own module.

\`\`\`diff
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# Corner shop
+# The corner shop
 
 Prices a shopping cart.
@@ -9,2 +9,2 @@
 - Amounts are in cents.
-- Tax is added at the end.
+- Tax is added last.
diff --git a/shop/money.py b/shop/cents.py
similarity index 90%
rename from shop/money.py
rename to shop/cents.py
--- a/shop/money.py
+++ b/shop/cents.py
@@ -1 +1 @@
-"""Amounts of money, in cents."""
+"""Cents."""
diff --git a/shop/cart.py b/shop/cart.py
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,4 +1,4 @@
 """The shopping cart."""
 
-from shop.money import format_cents, percent_of
+from shop.cents import format_cents, percent_of
 
\`\`\`
`;

const block = (path, old, next) =>
  `${path}\n\`\`\`\n<<<<<<< SEARCH\n${old}\n=======\n${next}\n>>>>>>> REPLACE\n\`\`\`\n`;

const { editor, original } = await openSample();
let applied;
let unpatched;

test('the reply has lenses over its blocks', async () => {
  await editor.lens('Apply all 2 Aptix blocks').waitFor();
  await editor.lens('Apply Aptix bundle').waitFor();
  await editor.statusBar.getByText(/Aptix: \d+ files/).waitFor();
  await editor.screenshot('reply');
});

test('Preview shows a diff of each file, and Discard closes it', async () => {
  await editor.lensBeside('Apply Aptix bundle', 'Preview').click();
  await editor.diffEntries.filter({ hasText: 'tax.py' }).first().waitFor();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.button('Apply').waitFor();
  await editor.page.locator('.tab', { hasText: /Aptix: \+17 −14 \(4 files\)/ }).waitFor();
  await editor.screenshot('preview');

  await editor.button('Discard').click();
  await editor.diffEntries.first().waitFor({ state: 'detached' });
  assert.deepEqual(editor.onDisk(), original);
});

test('Apply changes the files on disk and in the editor', async () => {
  await editor.lens('Apply Aptix bundle').click();
  await editor.statusBar.getByText(/Applied 4 files/).waitFor();
  await editor.state('already applied').waitFor();
  await editor.lens('Revert').waitFor();
  assert.equal(await editor.lens('Apply Aptix bundle').count(), 0);
  await editor.screenshot('applied');
  applied = editor.onDisk();
  assert.ok(changed(applied));
  await editor.openFile('cart.py');
  await until(async () => (await editor.lines()).includes('from shop.tax import tax'));
});

test('one undo in the reply takes everything back', async () => {
  await editor.openFile('reply.md');
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await editor.state(/4 files/).waitFor();
  await editor.statusBar.getByText(/Aptix: .* \(undone\)/).waitFor();
  const marks = editor.page
    .locator('.explorer-folders-view')
    .locator('[class*="itemBadge"], [class*="decoration-badge"]');
  await until(async () => (await marks.count()) === 0);
  await editor.screenshot('undone');
  await editor.openFile('cart.py');
  await until(async () => isDeepStrictEqual(await editor.lines(), original['shop/cart.py'].split('\n')));
});

test('redo makes the change again', async () => {
  await editor.openFile('reply.md');
  await editor.page.keyboard.press('Control+y');
  await until(() => isDeepStrictEqual(editor.onDisk(), applied));
  await editor.state('already applied').waitFor();
  await editor.openFile('cart.py');
  await until(async () => (await editor.lines()).includes('from shop.tax import tax'));
  await editor.screenshot('redone');
});

test('an applied block shows what it did, and reverts it', async () => {
  await editor.openFile('reply.md');
  await editor.lens('Show Changes').click();
  await editor.diffEntries.filter({ hasText: 'tax.py' }).first().waitFor();
  await editor.screenshot('applied-changes');
  await editor.openFile('reply.md');
  await editor.lens('Revert').click();
  const question = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “reply.md”?' });
  await question.getByRole('button', { name: 'Revert' }).click();
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await editor.lens('Apply Aptix bundle').waitFor();
});

test('everything goes with keys alone', async () => {
  await editor.openByKeys('reply.md');
  await editor.page.keyboard.press('Control+Home');
  const previewed = editor.page.locator('.multiDiffEntry .view-line', { hasText: 'test_tax_is_rounded_down' });
  await editor.press('Control+k Shift+ArrowDown', () => editor.statusBar.getByText('Ln 4, Col 1').isVisible());
  await editor.press('Control+k Shift+P', () => previewed.isVisible());
  await editor.run('Aptix: Discard This Preview');
  await editor.diffEntries.first().waitFor({ state: 'detached' });

  const replies = editor.page.getByRole('tree', { name: 'Replies' });
  const file = replies.getByRole('treeitem', { name: /^README\.md/ });
  const skipOrInclude = async () => {
    await until(async () => {
      await editor.run('Aptix: Focus on Replies View'); // a view that opens has no row to focus yet
      await file.waitFor();
      return replies.evaluate((tree) => tree.contains(document.activeElement));
    });
    await until(async () => {
      if ((await file.getAttribute('class')).includes('focused')) return true;
      await editor.page.keyboard.press('ArrowDown');
      return false;
    });
    await editor.page.keyboard.press('Space');
  };
  await skipOrInclude();
  await editor.state('1 file +5 −0, 1 skipped').waitFor();
  await editor.screenshot('keys-skipped');
  await editor.openByKeys('reply.md');
  await editor.press('Control+k Shift+P', () => previewed.isVisible());
  await editor.screenshot('keys-preview');
  await editor.press('Control+k Shift+A', () =>
    editor.onDisk()['tests/test_cart.py'].includes('test_tax_is_rounded_down'),
  );
  await editor.diffEntries.first().waitFor({ state: 'detached' });
  await editor.openByKeys('reply.md');
  assert.equal(editor.onDisk()['README.md'], original['README.md']);
  await editor.state('already applied, 1 skipped').waitFor();
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));

  await editor.state('1 file +5 −0, 1 skipped').waitFor(); // what was decided stays decided
  await skipOrInclude();
  await editor.state('2 files +6 −1').waitFor();
  await editor.openByKeys('reply.md');
  await editor.press('Control+k Shift+A', () => editor.onDisk()['README.md'].includes('rounded down to a cent'));
  await editor.state('already applied').waitFor(); // a revert that is asked for earlier finds nothing to revert
  const question = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “reply.md”?' });
  await editor.press('Control+k Shift+Z', () => question.isVisible());
  await editor.page.keyboard.press('Enter');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await editor.screenshot('keys-reverted');
});

test('a hunk is left out by its lens', async () => {
  unpatched = await editor.startOver(patch);
  await editor.state('3 files +4 −4').waitFor();
  await editor.screenshot('patch');
  await editor.lens('Skip this hunk').first().click();
  await editor.lens('Skipped · Include').waitFor();
  await editor.state('3 files +3 −3, 1 skipped').waitFor();
  await editor.page.locator('.squiggly-inline-unnecessary').first().waitFor(); // dimmed
  await editor.screenshot('patch-skipped');
});

test('Preview shows the rest, and what is renamed', async () => {
  await editor.lens('Preview').first().click();
  await editor.diffEntries.filter({ hasText: 'cents.py' }).first().waitFor();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'Tax is added last' }).waitFor();
  const heading = editor.page.locator('.multiDiffEntry .view-line', { hasText: 'The corner shop' });
  assert.equal(await heading.count(), 0);
  await editor.page.locator('.tab', { hasText: '+3 −3, 1 skipped (3 files)' }).waitFor(); // a rename is one file
  await editor.screenshot('patch-preview');
});

test('Apply does what the preview shows', async () => {
  await editor.button('Apply').click();
  await editor.statusBar.getByText(/Applied 3 files/).waitFor();
  const patched = { ...unpatched };
  patched['README.md'] = patched['README.md'].replace('added at the end', 'added last');
  patched['shop/cents.py'] = patched['shop/money.py'].replace('Amounts of money, in cents', 'Cents');
  patched['shop/cart.py'] = patched['shop/cart.py'].replace('shop.money', 'shop.cents');
  delete patched['shop/money.py'];
  await until(() => isDeepStrictEqual(editor.onDisk(), patched));
  await editor.openFile('reply.md');
  await editor.state('already applied, 1 skipped').waitFor(); // the hunk stays skipped
  await editor.screenshot('patch-applied');
});

test('one undo in the reply takes everything back', async () => {
  await editor.page.locator('.editor-group-container.active .view-lines').click();
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), unpatched));
  await editor.state('3 files +3 −3, 1 skipped').waitFor();
});

test('a reply in a file says once that the lenses of VS Code change the reply', async () => {
  editor.writeOnDisk('blocks.md', `So:\n\n${block('README.md', '# Corner shop', '# The shop')}`);
  await editor.openFile('blocks.md');
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.lens('Accept Incoming Change').waitFor();
  await editor.notification('shows the blocks of this reply as merge conflicts').waitFor();
  await editor.screenshot('conflict-lenses');
});

test('a copy of the reply has only the lenses of Aptix, and applies', async () => {
  await editor.answer('shows the blocks of this reply', 'Open a Plain Copy');
  await editor.tab('Pasted reply').waitFor();
  const group = editor.page.locator('.editor-group-container.active');
  await group.locator('.codelens-decoration a', { hasText: 'Apply Aptix patch' }).waitFor();
  assert.equal(await group.locator('.codelens-decoration a', { hasText: 'Accept Incoming' }).count(), 0);
  await editor.screenshot('conflict-lenses-copy');
  await group.locator('.codelens-decoration a', { hasText: 'Apply Aptix patch' }).click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
});

test('a preview applies although its reply was closed meanwhile', async () => {
  await editor.startOver();
  await editor.lensBeside('Apply Aptix bundle', 'Preview').click();
  await editor.button('Apply').waitFor();
  await editor.closeTab('reply');
  await editor.button('Apply').click();
  await until(() => changed(editor.onDisk()));
});

function changed(files) {
  return (
    'shop/tax.py' in files &&
    !('shop/old_tax.py' in files) &&
    files['shop/cart.py'].includes('from shop.tax import tax') &&
    files['shop/money.py'].includes('divmod(cents, 100)')
  );
}
