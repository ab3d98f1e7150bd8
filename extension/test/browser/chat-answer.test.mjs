// A person with an answer in the chat, of any participant: previews and applies it, and gets a broken one repaired.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

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

const { editor } = await openSample({ chat: true });
await editor.lens('Apply Aptix bundle').waitFor();
const chat = new Chat(editor);
await chat.open();

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
  await chat.action('Preview Last Chat Answer').click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.screenshot('chat-preview');
  await editor.button('Apply').click();
  await until(() => 'shop/tax.py' in editor.onDisk());
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
  await editor.page.locator('.editor-instance .view-line', { hasText: 'rates.py' }).click();
  await editor.page.keyboard.press('Control+.');
  await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Write "shop/rates.py"' }).click();
  await editor.state('1 file +1 −0').waitFor();
  await editor.screenshot('chat-fixed');
  await editor.lens('Apply Aptix bundle').click();
  await until(() => editor.onDisk()['shop/rates.py'] === 'RATE = 19\n');
});
