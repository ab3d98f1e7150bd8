// A workspace that the person does not trust: everything can be seen, nothing is applied. Once it is trusted, an ap patch in
// a file and in a reply: its colors, its lenses, and its directives as they are typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ap, differentColors } from './ap.mjs';
import { openSample } from './editor.mjs';
import { appears, inTime, until, within } from './until.mjs';

const { editor, original } = await openSample({
  overrides: {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
  },
});

test('Preview works without trust', async () => {
  await editor.lensBeside('Apply Aptix bundle', 'Preview').click();
  await editor.diffEntries.filter({ hasText: 'tax.py' }).first().waitFor();
  await editor.button('Discard').click();
});

test('Apply is refused without trust', async () => {
  await editor.lens('Apply Aptix bundle').click();
  await editor.notification('Nothing is applied in a workspace that is not trusted').waitFor();
  await editor.screenshot('untrusted');
  assert.deepEqual(editor.onDisk(), original);
});

test('Apply works once the workspace is trusted', async () => {
  await editor.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await editor.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await editor.page.getByText('You trust this folder').waitFor();
  await editor.page.getByRole('button', { name: 'Close Modal Editor' }).click();
  await until(async () => {
    await inTime(() => editor.lens('Apply Aptix bundle').click({ timeout: 3000 })); // gone once it is applied
    return within(3000, () => 'shop/tax.py' in editor.onDisk());
  });
  await editor.lens('Revert').waitFor(); // the apply has ended, so the next test may change its files
});

test('it has lenses, and its paths are relative to its folder', async () => {
  await editor.startOver();
  editor.writeOnDisk('shop/fix.ap', ap);
  await editor.openFile('fix.ap');
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.state('1 file +1 −0').waitFor();
});

const change = editor.page.locator('.multiDiffEntry .view-line', { hasText: 'SCALE = 100' });

test('the title of its editor, and the menus of its tab and its file, preview it', async () => {
  await editor.button('Preview with Aptix').click();
  await previewed();
  for (const of of ['.tab', '.explorer-folders-view .monaco-list-row']) {
    const item = editor.page.locator(of, { hasText: 'fix.ap' }).first();
    await until(async () => {
      await item.click({ button: 'right' });
      return appears(editor.page.getByRole('menuitem', { name: 'Apply with Aptix' }), 3000);
    });
    await editor.screenshot(`ap-menu-${of.slice(1, 4)}`);
    await editor.choose(item, 'Preview with Aptix', change);
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
  await change.waitFor();
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

test('in a reply it has the same colors', async () => {
  const block = ap.replace('money.py', 'shop/money.py');
  editor.writeOnDisk('ap.md', `# A reply\n\n\`\`\`ap\n${block}\`\`\`\n\nThe end.\n`);
  await editor.openFile('ap.md');
  await editor.state('1 file +1 −0').waitFor();
  await until(() => differentColors(editor));
  await editor.screenshot('ap-reply');
});
