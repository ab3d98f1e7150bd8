// A person with a git patch in a reply: leaves a hunk out, looks, applies, undoes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const reply = `The shop gets its article, and the tax its own module.

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

const { editor, original } = await openSample({ reply });

test('a hunk is left out by its lens', async () => {
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
  await editor.screenshot('patch-preview');
});

test('Apply does what the preview shows', async () => {
  await editor.button('Apply').click();
  await editor.statusBar.getByText(/Applied 3 files/).waitFor();
  const changed = { ...original };
  changed['README.md'] = changed['README.md'].replace('added at the end', 'added last');
  changed['shop/cents.py'] = changed['shop/money.py'].replace('Amounts of money, in cents', 'Cents');
  changed['shop/cart.py'] = changed['shop/cart.py'].replace('shop.money', 'shop.cents');
  delete changed['shop/money.py'];
  await until(() => isDeepStrictEqual(editor.onDisk(), changed));
  await editor.openFile('reply.md');
  await editor.state('already applied, 1 skipped').waitFor(); // the hunk stays skipped
  await editor.screenshot('patch-applied');
});

test('one undo in the reply takes everything back', async () => {
  await editor.page.locator('.editor-group-container.active .view-lines').click();
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await editor.state('3 files +3 −3, 1 skipped').waitFor();
});
