// A person with an ap patch in a file: its colors, its lenses, and its directives as they are typed.
import { test } from 'node:test';
import { ap, differentColors } from './ap.mjs';
import { openSample } from './editor.mjs';
import { appears, inTime, until } from './until.mjs';

const { editor } = await openSample({ reply: ap, name: 'shop/fix.ap' });

test('it has lenses, and its paths are relative to its folder', async () => {
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.state('1 file +1 −0').waitFor();
});

test('the title of its editor, and the menus of its tab and its file, preview it', async () => {
  await editor.button('Preview with Aptix').click();
  await previewed();
  for (const of of ['.tab', '.explorer-folders-view .monaco-list-row']) {
    const item = editor.page.locator(of, { hasText: 'fix.ap' }).first();
    const entry = editor.page.getByRole('menuitem', { name: 'Preview with Aptix' });
    await until(async () => {
      await item.click({ button: 'right' });
      if (!(await appears(editor.page.getByRole('menuitem', { name: 'Apply with Aptix' }), 3000))) return false;
      await editor.screenshot(`ap-menu-${of.slice(1, 4)}`);
      await inTime(() => entry.click({ timeout: 3000 })); // a menu takes no click in its first moment
      return appears(editor.diffEntries.first(), 5000);
    });
    await previewed();
  }
});

test('the menu of its file can be read in dark and in high contrast', async () => {
  const file = editor.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'fix.ap' });
  const entry = editor.page.getByRole('menuitem', { name: 'Preview with Aptix' });
  await editor.inOtherThemes(async (theme) => {
    await until(async () => {
      await file.click({ button: 'right' });
      return appears(entry, 3000);
    });
    await entry.hover();
    await editor.screenshot(`ap-menu-${theme}`);
    await editor.press('Escape', async () => !(await entry.isVisible()));
  });
});

async function previewed() {
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'SCALE = 100' }).waitFor();
  await editor.button('Discard').click();
  await editor.diffEntries.first().waitFor({ state: 'detached' });
}

test('it has colors of its own and of its target', async () => {
  await until(() => differentColors(editor));
  await editor.screenshot('ap');
});

test('a directive says what it means', async () => {
  await editor.token('INSERT_AFTER').hover();
  await editor.page.locator('.monaco-hover', { hasText: 'Inserts the content below the snippet' }).waitFor();
  await editor.page.locator('.monaco-hover', { hasText: 'Applies to money.py, line 1' }).waitFor();
  await editor.screenshot('ap-hover');
});

test('directives are completed after the ID', async () => {
  await editor.page.locator('.editor-group-container.active .view-lines').click();
  await editor.page.keyboard.press('Control+End');
  await editor.page.keyboard.type('\n0a1b2c3d DEL');
  await editor.page.locator('.suggest-widget .monaco-list-row', { hasText: 'DELETE' }).first().waitFor();
  await editor.screenshot('ap-completion');
});
