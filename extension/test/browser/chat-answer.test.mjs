// A person who lets the status bar show what an answer of the chat has, and who finds the tools of Aptix in the chat once,
// from its MCP server. Then with an answer of any participant: previews and applies it, and gets a broken one repaired.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const reply = fs.readFileSync(path.join(workspace, 'reply.md'), 'utf8');
const second = reply.indexOf('```json', reply.indexOf('```json') + 1);
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

test('the first use of the command asks whether to watch', async () => {
  chat.answers(reply);
  await chat.send('@helper keep amounts whole');
  await chat.done();
  await chat.action('Preview Last Chat Answer').click();
  await editor.notification('can show when a chat answer').waitFor();
  await editor.screenshot('chat-watch-asked');
  assert.equal(await editor.statusBar.getByText('Preview 2 Aptix blocks').count(), 0);
  await editor.answer('can show when a chat answer', 'Watch Chat');
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

test('what the status bar shows goes when the chat is no longer watched', async () => {
  const item = editor.statusBar.getByText('Preview 1 Aptix block');
  chat.answers(create('docs/watched.md'));
  await chat.send('@helper now a page');
  await item.waitFor();
  await chat.done();
  await editor.run('Preferences: Open Settings (UI)');
  const settings = editor.page.locator('.settings-editor');
  await settings.locator('.suggest-input-container').click();
  await editor.page.keyboard.insertText('@id:aptix.chat.watch');
  // Until the search has ended, the page shows boxes of other settings.
  const found = settings.locator('.settings-editor-tree .monaco-list-row', { hasText: 'While an answer streams' });
  await found.locator('.setting-value-checkbox').click();
  await item.waitFor({ state: 'hidden' });
  await editor.screenshot('chat-watch-off');
  await until(async () => {
    await editor.page.keyboard.press('Escape');
    return !(await settings.isVisible());
  });
});

test('the chat has one set of tools', async () => {
  chat.answers('Hello.\n');
  await chat.send('@helper hello'); // VS Code starts MCP servers with the first message
  await chat.done();
  await editor.page
    .getByRole('button', { name: /Configure Tools/ })
    .first()
    .click();
  const groups = editor.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Aptix' });
  await editor.page.locator('.quick-input-widget input[type=text]').first().fill('aptix');
  await groups.filter({ has: editor.page.locator('.codicon-mcp') }).waitFor();
  await editor.screenshot('chat-tools');
  assert.equal(await groups.count(), 1);
});

test('a chat without an answer says so', async () => {
  await editor.page.keyboard.press('Escape'); // the list of tools
  await editor.startOver();
  await chat.begin();
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
  const fix = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Write the path "shop/rates.py"' });
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

test('an answer that is closed leaves Replies and the problems', async () => {
  chat.answers(broken.replace('rates', 'dates'));
  await chat.send('@helper now a file for the dates');
  await chat.done();
  await chat.action('Preview Last Chat Answer').click();
  await editor.openViews();
  const row = editor.page.getByRole('treeitem', { name: /^Chat answer.*, 1 error/ });
  const problems = (errors) => editor.page.locator('[id="status.problems"]').filter({ hasText: errors });
  await row.waitFor();
  await problems(/^\s*1/).waitFor();
  await editor.page.locator('.tab.active .tab-actions a').first().click();
  await row.waitFor({ state: 'detached' });
  await problems(/^\s*0/).waitFor();
  await editor.screenshot('chat-closed');
});

test('the lens Fix lists the fixes of a broken answer, which is shown again', async () => {
  await chat.action('Preview Last Chat Answer').click();
  await editor.page.locator('.editor-instance .view-line', { hasText: 'dates.py' }).waitFor();
  await editor.lens('Fix…').click();
  await editor.page
    .locator('.quick-input-list .monaco-list-row', { hasText: 'Write the path "shop/dates.py"' })
    .waitFor();
  await editor.screenshot('chat-fix-lens');
  const fixes = await editor.page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
  assert.deepEqual(fixes, ['Write the path "shop/dates.py"', 'Copy problems for the model']); // none of other extensions
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
  await editor.state('already applied').first().waitFor();
  assert.equal(await editor.lens(/^Apply all/).count(), 0); // no block is left to apply
  await editor.screenshot('chat-copied');
  assert.equal(await editor.clipboard(), 'mine');
});

test('a chat that cannot be read says so, and offers the clipboard', async () => {
  await chat.hide('workbench.action.chat.copyAll', 'Scripted: Hide the Copy of the Chat');
  await editor.copy(create('docs/pasted.md'));
  await chat.action('Preview Last Chat Answer').click();
  const says = 'the open chat cannot be read. Copy the answer instead.';
  await editor.notification(says).waitFor();
  await editor.screenshot('chat-unreadable');
  await editor.answer(says, 'Apply from Clipboard');
  await answerOf('Apply').click();
  await until(() => editor.onDisk()['docs/pasted.md'] === 'New.\n');
});
