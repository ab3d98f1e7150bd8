// A person who lets the status bar show what an answer of the chat has.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';

const reply = fs.readFileSync(path.join(workspace, 'reply.md'), 'utf8');
const second = reply.indexOf('```json', reply.indexOf('```json') + 1);

const { editor } = await openSample({ chat: true });
await editor.lens('Apply Aptix bundle').waitFor();
const chat = new Chat(editor);
await chat.open();

test('the first use of the command asks whether to watch', async () => {
  chat.answers(reply);
  await chat.send('@helper keep amounts whole');
  await chat.done();
  await chat.action('Preview Last Chat Answer').click();
  await editor.notification('can show when a chat answer').waitFor();
  await editor.screenshot('chat-watch-asked');
  assert.equal(await editor.statusBar.getByText('Preview 2 Aptix blocks').count(), 0);
  await editor.notification('can show when a chat answer').getByRole('button', { name: 'Watch Chat' }).click();
  await editor.statusBar.getByText('the chat is watched').waitFor();
});

test('the blocks are counted while the answer streams', async () => {
  chat.answers(`${reply.slice(0, second)}wait more\n${reply.slice(second)}wait end\nThat is all.\n`);
  await chat.send('@helper again');
  await editor.statusBar.getByText('Aptix: 1 block…').waitFor();
  await editor.screenshot('chat-watch-streaming');
});

test('a window without the focus reads nothing', async () => {
  await editor.page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
  chat.write('more');
  await editor.page.locator('.chat-response, .interactive-response', { hasText: 'This moves tax' }).waitFor();
  assert.equal(await editor.statusBar.getByText('Aptix: 2 blocks…').count(), 0);
  await editor.page.evaluate(() => {
    delete document.hasFocus;
    window.dispatchEvent(new Event('focus'));
  });
  await editor.statusBar.getByText('Aptix: 2 blocks…').waitFor();
});

test('a complete answer is previewed by a click', async () => {
  chat.write('end');
  await editor.statusBar.getByText('Preview 2 Aptix blocks').waitFor();
  await editor.screenshot('chat-watch-complete');
  await editor.openViews();
  // The sample, the answer that was opened, and this one.
  await editor.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Aptix.*3 replies can be applied/ })
    .waitFor();
  await editor.screenshot('chat-watch-replies');
  await editor.statusBar.getByText('Preview 2 Aptix blocks').click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
});

test('an answer without edits shows nothing', async () => {
  chat.answers('You are welcome.\n');
  await chat.send('@helper thank you');
  await editor.statusBar.getByText('Preview 2 Aptix blocks').waitFor({ state: 'hidden' });
  await chat.done();
});
