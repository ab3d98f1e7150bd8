// VS Code's lenses of merge conflicts on a reply of SEARCH/REPLACE blocks, and the way around them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const block = (path, old, next) =>
  `${path}\n\`\`\`\n<<<<<<< SEARCH\n${old}\n=======\n${next}\n>>>>>>> REPLACE\n\`\`\`\n`;
const reply = `So:\n\n${block('README.md', '# Corner shop', '# The shop')}`;

const { editor } = await openSample({ reply });

test('a reply in a file says once that the lenses of VS Code change the reply', async () => {
  await editor.lens('Apply Aptix patch').waitFor();
  await editor.lens('Accept Incoming Change').waitFor();
  await editor.notification('shows the blocks of this reply as merge conflicts').waitFor();
  await editor.screenshot('conflict-lenses');
});

test('a copy of the reply has only the lenses of Aptix, and applies', async () => {
  const message = editor.notification('shows the blocks of this reply');
  await message.getByRole('button', { name: 'Open a Copy without Conflicts' }).click();
  await editor.tab('Pasted reply').waitFor();
  const group = editor.page.locator('.editor-group-container.active');
  await group.locator('.codelens-decoration a', { hasText: 'Apply Aptix patch' }).waitFor();
  assert.equal(await group.locator('.codelens-decoration a', { hasText: 'Accept Incoming' }).count(), 0);
  await editor.screenshot('conflict-lenses-copy');
  await group.locator('.codelens-decoration a', { hasText: 'Apply Aptix patch' }).click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
});
