// A person with a long history: finds an entry by words and by a file, and goes back to it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const { editor, original, program, environment } = await openSample();

const rows = (name) => editor.page.getByRole('tree', { name: 'History' }).getByRole('treeitem', { name });
const all = () => rows(/1 file/);

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
  await editor.openFile('third.py');
  await editor.run('Aptix: History of This File');
  await all().nth(1).waitFor({ state: 'detached' });
  assert.equal(await all().count(), 1);
  await editor.screenshot('history-find-file');
  await editor.run('Aptix: Show All History');
  await all().nth(2).waitFor();
});

test('everything after an entry is reverted, after a question that lists it', async () => {
  const action = editor.page.getByRole('menuitem', { name: 'Revert Everything After This…' });
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Revert everything after' });
  await until(async () => {
    if (!(await action.isVisible()))
      await all()
        .nth(2)
        .click({ button: 'right', timeout: 3000 })
        .catch(() => {});
    await action.click({ timeout: 1000 }).catch(() => {});
    return appears(dialog, 2000);
  });
  await editor.screenshot('history-find-after');
  await dialog.getByRole('button', { name: 'Revert All' }).click();
  const left = [...Object.keys(original), 'first.py'].sort().join();
  await until(() => Object.keys(editor.onDisk()).sort().join() === left);
  await rows(/^Revert of standard input/)
    .nth(1)
    .waitFor();
  await editor.screenshot('history-find-reverted');
});

function applyOnDisk(name) {
  const files = [{ path: name, operation: 'create', content: 'x = 1\n' }];
  const input = `\`\`\`json\n${JSON.stringify({ root: '.', files })}\n\`\`\`\n`;
  execFileSync(program, ['apply'], { cwd: editor.folder, env: environment, input, stdio: 'pipe' });
}
