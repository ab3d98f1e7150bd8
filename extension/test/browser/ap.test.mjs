// A person with an ap patch in a file: its colors, its lenses, and its directives as they are typed.
import { test } from 'node:test';
import { ap, differentColors } from './ap.mjs';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const { editor } = await openSample({ reply: ap, name: 'shop/fix.ap' });

test('it has lenses, and its paths are relative to its folder', async () => {
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.state('1 file +1 −0').waitFor();
});

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
