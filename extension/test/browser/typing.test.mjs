// A person types while agents preview, offer and apply changes: each key arrives where it was meant to.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSample } from './editor.mjs';
import { McpClient } from './mcp-client.mjs';

// Only a change that has a doubt is offered; others are applied at once.
const { editor, original, program, environment } = await openSample({
  overrides: { 'aptix.agents.confirm': 'warnings' },
});
await editor.lens('Apply Aptix bundle').waitFor();
const agent = await McpClient.start(program, ['--root', editor.folder], environment);
after(() => agent.stop());

const clean = { path: 'new.txt', operation: 'create', content: 'New.\n' };
const doubtful = {
  path: 'shop/money.py',
  operation: 'patch',
  patches: [{ find: 'cent', replace: 'Cent', limit: 'once' }],
};
const made = () => editor.notification('Robo made a change. Applied 1 file +1 −0.');
const question = () => editor.notification('Robo asks');
let offered;

test('a preview opens nothing, and its message shows it', async () => {
  await editor.whileTyping('README.md', async () => {
    await agent.call('aptix_preview', { text: reply(clean) });
    await editor.notification('an agent shows a change that it wants to make').waitFor();
  });
  await editor.screenshot('typing-shown');
  await editor.notification('an agent shows').getByRole('button', { name: 'Show' }).click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'New.' }).waitFor();
  await editor.closeAll();
});

test('an offer and an apply take no key', async () => {
  await editor.whileTyping('README.md', async () => {
    offered = agent.call('aptix_apply', { text: reply(doubtful) });
    await question().waitFor();
    await agent.call('aptix_apply', { text: reply(clean) });
    await made().waitFor();
  });
  await editor.screenshot('typing-offered');
});

test('the offer still waits in the status bar', async () => {
  await editor.statusBar.getByText('Robo offers a change').click();
  await editor.button('Discard').click();
  assert.equal((await offered).successful, false);
  await editor.diffEntries.first().waitFor({ state: 'detached' });
  assert.deepEqual(editor.onDisk(), { ...original, 'new.txt': 'New.\n' });
});

test('an apply in the file that the person writes is made around them, or refused', async () => {
  const readme = {
    path: 'README.md',
    operation: 'patch',
    patches: [{ find: 'Tax is added at the end.', replace: 'Tax is last.' }],
  };
  await editor.whileTyping('README.md', () => agent.call('aptix_apply', { text: reply(readme) }));
});

function reply(...files) {
  return `\`\`\`json\n${JSON.stringify({ root: '.', files })}\n\`\`\`\n`;
}
