// A person who asks @aptix, with a model of their choice: what it is sent, how it is repaired, and where the answer goes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const reply = fs.readFileSync(path.join(workspace, 'reply.md'), 'utf8');
const broken = reply.replace('"- Tax is added at the end."', '"- Customs are paid at the border."');
const second = broken.indexOf('```json', broken.indexOf('```json') + 1);

const { editor, original } = await openSample({ chat: true });
await editor.lens('Apply Aptix bundle').waitFor();
fs.writeFileSync(path.join(editor.folder, '.env'), 'KEY=hunter2\n');
const chat = new Chat(editor);
await chat.open();
const dialog = editor.page.locator('.monaco-dialog-box');

test('the model gets the rules and the files, and nothing secret', async () => {
  chat.answers('Which rate?\n');
  await chat.send('@aptix /git what is wrong in shop/money.py? The key is in .env');
  await chat.done();
  await chat.answer.getByText('Not sent to the model: .env').waitFor();
  await chat.answer.getByText('Which rate?').waitFor();
  await editor.screenshot('chat-participant-question');
  const [{ text }, { text: question }] = chat.asked();
  const sum = createHash('sha256').update(original['shop/money.py']).digest('hex');
  assert.match(text, /^# Git patch$/m);
  assert.ok(text.includes(`\nshop/money.py, SHA-256 ${sum}:\n\n\`\`\`\n${original['shop/money.py']}`));
  assert.match(text, /^reply\.md, SHA-256/m); // an editor shows it
  assert.doesNotMatch(text, /hunter2/);
  assert.equal(question, 'what is wrong in shop/money.py? The key is in .env');
  assert.equal(await chat.button('Apply').count(), 0);
});

test('an answer is checked as it arrives, and the model corrects it', async () => {
  chat.answers(`${broken.slice(0, second)}wait more\n${broken.slice(second)}`);
  await chat.send('@aptix /bundle keep amounts whole');
  await editor.statusBar.getByText('Aptix: 1 block, 1 error…').waitFor();
  await editor.screenshot('chat-participant-streaming');
  chat.answers(`wait again\n${reply}`);
  chat.write('more');
  await chat.answer.getByText('The model is asked to correct its answer (1 of 2)').waitFor();
  await editor.screenshot('chat-participant-wrong');
  chat.write('again');
  await chat.button('Apply').waitFor();
  await chat.answer.getByText('Aptix: 6 files +23 −15 after 1 correction').waitFor();
  await chat.answer.getByText('both tests should pass').last().waitFor(); // the first answer is folded
  await editor.screenshot('chat-participant-repaired');
  const asked = chat.asked();
  assert.deepEqual(
    asked.slice(-3).map(({ role }) => role),
    [1, 2, 1],
  );
  assert.equal(asked.at(-2).text, broken);
  assert.match(asked.at(-1).text, /^Your last reply needs corrections:/);
  await editor.statusBar.getByText('1 block, 1 error…').waitFor({ state: 'hidden' });
});

test('the answer is applied with two clicks', async () => {
  const clicks = await editor.clicks(async () => {
    await chat.button('Apply').click();
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await until(() => 'shop/tax.py' in editor.onDisk());
  });
  assert.equal(clicks, 2);
  await editor.state('already applied').first().waitFor();
});

test('the answer is previewed and applied with two clicks', async () => {
  await editor.run('Aptix: Revert Last Apply');
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await until(() => !('shop/tax.py' in editor.onDisk()));
  const clicks = await editor.clicks(async () => {
    await chat.button('Preview').click();
    await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
    await editor.button('Apply').click();
    await until(() => 'shop/tax.py' in editor.onDisk());
  });
  assert.equal(clicks, 2);
  await editor.screenshot('chat-participant-applied');
});

test('/fix corrects an answer of another participant', async () => {
  const wrong =
    '```json\n{"root": ".", "files": [{"path": "README.md", "operation": "patch", "patches": [{"find": "no such text", "replace": "x", "limit": "once"}]}]}\n```\n';
  chat.answers(wrong);
  await chat.send('@helper rename the shop');
  await chat.done();
  chat.answers(wrong.replace('no such text', '# Corner shop').replace('"x"', '"# Shop"'));
  await chat.send('@aptix /fix be brief');
  await chat.done();
  await chat.button('Apply').waitFor();
  const asked = chat.asked();
  assert.equal(asked.at(-2).text, wrong);
  assert.match(asked.at(-1).text, /^Your last reply needs corrections:/);
  assert.match(asked.at(-1).text, /\nbe brief$/);
  assert.match(asked[0].text, /^README\.md, SHA-256/m);
});

test('after two corrections the errors are left to the person', async () => {
  const wrong =
    '```ap\n3f9c2a71 AP 3.2\n3f9c2a71 FILE\nREADME.md\n3f9c2a71 REPLACE\n3f9c2a71 snippet\nno such line\n3f9c2a71 content\nx\n3f9c2a71 END\n```\n';
  for (let n = 0; n < 3; n++) chat.answers(wrong);
  await chat.send('@aptix /ap rename the shop');
  await chat.answer.getByText('after 2 corrections').waitFor();
  await chat.button('Preview').waitFor();
  await editor.screenshot('chat-participant-given-up');
});

test('a file that is attached is sent, and an answer that is stopped is previewed only', async () => {
  await editor.openFile('README.md');
  await editor.run('Chat: Add File to Chat');
  await editor.page.locator('.chat-attached-context', { hasText: 'README.md' }).waitFor();
  await editor.run('View: Close All Editors');
  chat.answers(`${reply.slice(0, reply.indexOf('This moves tax'))}wait never\n`);
  await chat.send('@aptix rename the shop');
  await editor.statusBar.getByText('Aptix: 1 block…').waitFor();
  assert.match(chat.asked()[0].text, /^README\.md, SHA-256/m);
  await chat.stop.click();
  await chat.stop.waitFor({ state: 'detached' });
  await chat.action('Apply Last Chat Answer').click();
  await editor.notification('The last answer was stopped before its end').waitFor();
  await editor.screenshot('chat-participant-stopped');
});
