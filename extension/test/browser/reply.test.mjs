// A person with a reply in the editor: looks, previews, applies, undoes, redoes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const { editor, original } = await openSample();
let applied;

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
  const question = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert “reply.md”?' });
  await editor.press('Control+k Shift+Z', () => question.isVisible());
  await editor.page.keyboard.press('Enter');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await editor.screenshot('keys-reverted');
});

function changed(files) {
  return (
    'shop/tax.py' in files &&
    !('shop/old_tax.py' in files) &&
    files['shop/cart.py'].includes('from shop.tax import tax') &&
    files['shop/money.py'].includes('divmod(cents, 100)')
  );
}
