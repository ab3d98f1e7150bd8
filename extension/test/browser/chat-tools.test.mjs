// A person who looks at the tools of the chat finds those of Aptix once, from its MCP server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';

const { editor } = await openSample({ chat: true });
await editor.lens('Apply Aptix bundle').waitFor();
const chat = new Chat(editor);
await chat.open();

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
