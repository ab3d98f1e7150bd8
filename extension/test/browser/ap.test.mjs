// A person with an ap patch in a file: its colours, its lenses, and its directives as they are typed.
import { after, before, test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const ap = `# Summary: a constant.
0a1b2c3d AP 3.1

0a1b2c3d FILE
money.py

0a1b2c3d INSERT_AFTER
0a1b2c3d snippet
"""Amounts of money, in cents."""
0a1b2c3d content
SCALE = 100
`;

let sample;
let editor;

before(async () => {
  sample = await openSample({}, ap, 'shop/fix.ap');
  editor = sample.editor;
});

after(async () => {
  if (editor) await editor.screenshot('ap-last');
  await sample?.close();
});

test('it has lenses, and its paths are relative to its folder', async () => {
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.state('1 file +1 −0').waitFor();
});

test('it has colours of its own and of its target', async () => {
  await until(
    async () => new Set(await Promise.all(['SCALE', '100', 'INSERT_AFTER', 'money.py'].map(colour))).size === 4,
  );
  await editor.screenshot('ap');
});

test('a directive says what it means', async () => {
  await token('INSERT_AFTER').hover();
  await editor.page.locator('.monaco-hover', { hasText: 'Inserts the content below the snippet' }).waitFor();
  await editor.page.locator('.monaco-hover', { hasText: 'Applies to money.py, line 1' }).waitFor();
  await editor.screenshot('ap-hover');
});

test('directives are completed behind the ID', async () => {
  await editor.page.locator('.editor-group-container.active .view-lines').click();
  await editor.page.keyboard.press('Control+End');
  await editor.page.keyboard.type('\n0a1b2c3d DEL');
  await editor.page.locator('.suggest-widget .monaco-list-row', { hasText: 'DELETE' }).first().waitFor();
  await editor.screenshot('ap-completion');
});

test('in a reply it has the same colours', async () => {
  await sample.close();
  sample = await openSample(
    {},
    `# A reply\n\n\`\`\`ap\n${ap.replace('money.py', 'shop/money.py')}\`\`\`\n\nThe end.\n`,
  );
  editor = sample.editor;
  await editor.state('1 file +1 −0').waitFor();
  await until(
    async () => new Set(await Promise.all(['SCALE', '100', 'INSERT_AFTER', 'money.py'].map(colour))).size === 4,
  );
  await editor.screenshot('ap-reply');
});

function token(words) {
  return editor.page.locator('.editor-group-container.active .view-line span span', { hasText: words }).first();
}

function colour(words) {
  return token(words).evaluate((span) => getComputedStyle(span).color);
}
