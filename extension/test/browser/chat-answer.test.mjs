// A person with an answer in the chat, of any participant: previews and applies it, and gets a broken one repaired.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const reply = fs.readFileSync(path.join(workspace, 'reply.md'), 'utf8');
const broken = `\`\`\`json
{
  "root": ".",
  "files": [
    { "path": "shop\\\\rates.py", "operation": "create", "content": "RATE = 19\\n" }
  ]
}
\`\`\`
`;

const create = (file) =>
  `\`\`\`json\n{"root": ".", "files": [{"path": "${file}", "operation": "create", "content": "New.\\n"}]}\n\`\`\`\n`;

const { editor } = await openSample({ chat: true });
await editor.lens('Apply Aptix bundle').waitFor();
const chat = new Chat(editor);
await chat.open();
const dialog = editor.page.locator('.monaco-dialog-box');
const answerOf = (name) => dialog.getByRole('button', { name, exact: true });

test('a chat without an answer says so', async () => {
  await chat.action('Preview Last Chat Answer').click();
  await editor.notification('This chat has no answer yet').waitFor();
});

test('an answer that is not complete is not shown', async () => {
  chat.answers(`wait go\n${reply}`);
  await chat.send('@helper keep amounts whole');
  await chat.stop.waitFor();
  await chat.action('Preview Last Chat Answer').click();
  await editor.notification('The last answer is not complete yet').waitFor();
  chat.write('go');
  await chat.stop.waitFor({ state: 'detached' });
});

test('one click previews the answer, a second one applies it', async () => {
  const clicks = await editor.clicks(async () => {
    await chat.action('Preview Last Chat Answer').click();
    await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
    await editor.screenshot('chat-preview');
    await editor.button('Apply').click();
    await until(() => 'shop/tax.py' in editor.onDisk());
  });
  assert.equal(clicks, 2);
  await editor.tab('Chat answer').waitFor();
  await editor.state('already applied').first().waitFor();
  await editor.screenshot('chat-applied');
});

test('a broken answer shows its problems, and sends them to the chat', async () => {
  chat.answers(broken);
  await chat.send('@helper now a file for the rates');
  await chat.done();
  await chat.action('Preview Last Chat Answer').click();
  await editor.state('1 error').waitFor();
  await chat.input.click();
  await editor.page.keyboard.insertText('And keep the tests.');
  await editor.lens('Send to chat').click();
  await until(async () => (await chat.typed()).includes('rates.py'));
  assert.match(await chat.typed(), /And keep the tests\./);
  await editor.screenshot('chat-problems');
});

test('a fix changes the answer that is held, and the answer can then be applied', async () => {
  const fix = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Write "shop/rates.py"' });
  await until(async () => {
    await editor.page.locator('.editor-instance .view-line', { hasText: 'rates.py' }).click(); // the chat may take the focus back
    await editor.page.keyboard.press('Control+.');
    return appears(fix, 3000);
  });
  await fix.click();
  await editor.state('1 file +1 −0').waitFor();
  await editor.screenshot('chat-fixed');
  await editor.lens('Apply Aptix bundle').click();
  await until(() => editor.onDisk()['shop/rates.py'] === 'RATE = 19\n');
});

test('the lens Fix lists the fixes of a broken answer', async () => {
  chat.answers(broken.replace('rates', 'dates'));
  await chat.send('@helper now a file for the dates');
  await chat.done();
  await chat.action('Preview Last Chat Answer').click();
  await editor.page.locator('.editor-instance .view-line', { hasText: 'dates.py' }).waitFor();
  await editor.lens('Fix…').click();
  await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Write "shop/dates.py"' }).waitFor();
  await editor.screenshot('chat-fix-lens');
  await editor.page.keyboard.press('Enter');
  await editor.state('1 file +1 −0').waitFor();
});

test('an answer is applied with two clicks, and the key asks the same', async () => {
  chat.answers(create('docs/clicked.md'));
  await chat.send('@helper now a page');
  await chat.done();
  await editor.press('Control+k Shift+L', () => dialog.getByText('docs/clicked.md (new) +1 −0').isVisible());
  await editor.screenshot('chat-apply-asked');
  await answerOf('Cancel').click();
  await dialog.waitFor({ state: 'detached' });
  const clicks = await editor.clicks(async () => {
    await chat.action('Apply Last Chat Answer').click();
    await answerOf('Apply').click();
    await until(() => editor.onDisk()['docs/clicked.md'] === 'New.\n');
  });
  assert.equal(clicks, 2);
});

test('a chat that cannot be exported is copied, and the clipboard keeps its text', async () => {
  await chat.hide('workbench.action.chat.export', 'Scripted: Hide the Export of the Chat');
  await editor.copy('mine');
  await chat.action('Preview Last Chat Answer').click();
  await editor.notification('can only copy the whole chat').waitFor();
  await until(async () => (await editor.lines()).join('\n').includes('@helper')); // the question is in it, too
  await editor.lens(/^Apply all \d Aptix blocks$/).waitFor();
  await editor.screenshot('chat-copied');
  assert.equal(await editor.page.evaluate(() => navigator.clipboard.readText()), 'mine');
});

test('a chat that cannot be read says so, and offers the clipboard', async () => {
  await chat.hide('workbench.action.chat.copyAll', 'Scripted: Hide the Copy of the Chat');
  await editor.copy(create('docs/pasted.md'));
  await chat.action('Preview Last Chat Answer').click();
  const says = editor.notification('it cannot be read. Copy the answer instead.');
  await says.waitFor();
  await editor.screenshot('chat-unreadable');
  await says.getByRole('button', { name: 'Apply from Clipboard' }).click();
  await answerOf('Apply').click();
  await until(() => editor.onDisk()['docs/pasted.md'] === 'New.\n');
});
