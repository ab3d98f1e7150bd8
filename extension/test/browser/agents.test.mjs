// A person with an editor, and an agent outside of it that wants to change files there, also while the person types: each
// key arrives where it was meant to.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { McpClient } from './mcp-client.mjs';
import { until } from './until.mjs';

const docPath = 'corner-shop/shop/money.py';
const old = '(cents / 100, cents % 100)';
const better = 'divmod(cents, 100)';

const { editor, original, program, environment } = await openSample();
await editor.lens('Apply Aptix bundle').waitFor();
const agent = await McpClient.start(program, ['--root', editor.folder], environment);
after(() => agent.stop());

const clean = { path: 'new.txt', operation: 'create', content: 'New.\n' };
const doubtful = {
  path: 'shop/money.py',
  operation: 'patch',
  patches: [{ find: 'cent', replace: 'Cent', limit: 'once' }],
};
const hunks = `\`\`\`diff
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,1 +1,1 @@
-"""The shopping cart."""
+"""The cart of a customer."""
@@ -14,1 +14,1 @@
-        total = 0
+        total = 0  # in cents
\`\`\`
`;
const made = () => editor.notification('Robo made a change. Applied 1 file +1 −0.');
let offered;

test('an agent sees what the person has open', async () => {
  const { result } = await agent.call('active_file_list', {});
  assert.deepEqual(
    result.files.map(({ docPath, isActive }) => [docPath, isActive]),
    [['corner-shop/reply.md', true]],
  );
});

test('its offer opens nothing and takes no key from the person, and Show shows it', async () => {
  let answer;
  await editor.whileTyping('README.md', async () => {
    answer = agent.call('workspace_write_patch', await patch());
    await question().waitFor();
  });
  assert.equal(await editor.diffEntries.count(), 0);
  await editor.statusBar.getByText('Robo offers a change').waitFor();
  await editor.screenshot('offer');
  await editor.answer('Robo asks', 'Show');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: better }).waitFor();
  await editor.button('Discard').waitFor();
  await editor.inThemes('offer-shown');
  assert.deepEqual(editor.onDisk(), original);

  await editor.button('Apply').click();
  const { successful, result } = await answer;
  assert.equal(successful, true);
  for (const id of [result.batchId, result.files[0].filePatchId, result.files[0].changes[0].changeId])
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  await until(isChanged);
  await editor.diffEntries.first().waitFor({ state: 'detached' });
});

test('a message says what happened, and its Undo takes it back', async () => {
  const message = 'Robo made a change. Applied 1 file +1 −1.';
  await editor.notification(message).waitFor();
  await editor.screenshot('offer-applied');
  await editor.answer(message, 'Undo');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('one undo in the file takes it back, too', async () => {
  await editor.openFile('money.py');
  const answer = agent.call('workspace_write_patch', await patch());
  await editor.answer('Robo asks', 'Apply');
  assert.equal((await answer).successful, true);
  await until(isChanged);
  await editor.focus();
  await editor.page.keyboard.press('Control+z');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
});

test('the agent learns that the person discarded it', async () => {
  const answer = agent.call('workspace_write_patch', await patch());
  await editor.answer('Robo asks', 'Show');
  await editor.button('Discard').click();
  const { successful, errors } = await answer;
  assert.equal(successful, false);
  assert.equal(errors.length, 1);
  await editor.diffEntries.first().waitFor({ state: 'detached' });
  assert.deepEqual(editor.onDisk(), original);
});

test('a hunk and a file of an offer are left out, and the agent learns which', async () => {
  const readme = {
    path: 'README.md',
    operation: 'patch',
    patches: [{ find: '# Corner shop', replace: '# The shop', limit: 'once' }],
  };
  const text = `${hunks}\n${reply(readme, clean)}`;
  const answer = agent.call('aptix_apply', { text });
  await editor.answer('Robo asks', 'Show');
  const title = (words) => editor.page.locator('.tab.active', { hasText: words });
  const changed = (words) => editor.page.locator('.multiDiffEntry .modified .view-line', { hasText: words }).first();
  await title('Offered: Aptix: +4 −3 (3 files)').waitFor();
  await editor.screenshot('offer-parts');
  await changed('# in cents').click();
  await editor.press('Control+k Shift+U', () => title('+3 −2, 1 skipped (3 files)').isVisible());
  await changed('# The shop').click();
  await editor.run('Aptix: Skip This File');
  await title('+2 −1, 2 skipped (2 files)').waitFor();
  await editor.screenshot('offer-skipped');
  await editor.button('Choose Files and Hunks').click();
  const row = (name) => editor.page.locator('.quick-input-list .monaco-list-row', { hasText: name });
  const listed = row('new.txt');
  await listed.click();
  await editor.screenshot('offer-choose');
  await editor.page.keyboard.press('Enter');
  await title('+1 −1, 3 skipped (1 file)').waitFor();
  await editor.button('Choose Files and Hunks').click();
  await listed.click();
  await editor.page.keyboard.press('Enter');
  await title('+2 −1, 2 skipped (2 files)').waitFor();
  await editor.button('Apply').click();
  const { successful, warnings } = await answer;
  assert.equal(successful, true);
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'the person left out hunk 2 of shop/cart.py in block 1, README.md in block 2: this is not applied; do not send it in a different form',
    ],
  );
  const cart = original['shop/cart.py'].replace('The shopping cart', 'The cart of a customer');
  await until(() => isDeepStrictEqual(editor.onDisk(), { ...original, 'shop/cart.py': cart, 'new.txt': 'New.\n' }));

  const again = agent.call('aptix_apply', { text });
  await editor.answer('All parts of the offered change were left out', 'Choose Files and Hunks…');
  await row('README.md').click();
  await editor.page.keyboard.press('Enter');
  await title('Offered: Aptix: +1 −1, 1 skipped (1 file)').waitFor();
  await editor.screenshot('offer-again');
  await editor.button('Apply').click();
  assert.equal((await again).successful, true);
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
  await editor.startOver();
});

test('several offers wait for their turn', async () => {
  const giveUp = new AbortController();
  const answers = [];
  for (const _ of [1, 2])
    answers.push(agent.call('workspace_write_patch', await patch(), giveUp.signal).catch(() => {}));
  await editor.statusBar.getByText('Robo offers a change, 1 more').waitFor();
  await editor.screenshot('offer-queue');
  await editor.answer('Robo asks', 'Discard');
  await editor.statusBar.getByText('Robo offers a change', { exact: true }).waitFor();
  await editor.answer('Robo asks', 'Discard');
  for (const answer of answers) assert.equal((await answer).successful, false);
});

test('the question goes when the agent gives up', async () => {
  const giveUp = new AbortController();
  const answer = agent.call('workspace_write_patch', await patch(), giveUp.signal).catch(() => {});
  await question().waitFor();
  giveUp.abort();
  await question().waitFor({ state: 'detached' });
  assert.deepEqual(editor.onDisk(), original);
  await Promise.race([answer, Promise.resolve()]); // a client that cancelled gets no answer
});

test('a preview opens nothing, and its message shows it', async () => {
  await editor.startOver();
  editor.set('aptix.agents.confirm', 'warnings'); // a change without a doubt is applied at once
  await editor.whileTyping('README.md', async () => {
    await agent.call('aptix_preview', { text: reply(clean) });
    await editor.notification('an agent shows a change that it wants to make').waitFor();
  });
  await editor.screenshot('typing-shown');
  await editor.answer('an agent shows', 'Show');
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

function isChanged() {
  return editor.onDisk()['shop/money.py'] === original['shop/money.py'].replace(old, better);
}

function question() {
  return editor.notification('Robo asks');
}

async function patch() {
  const { result } = await agent.call('workspace_read_file', { docPath });
  const lines = result.content.split('\n');
  const line = lines.findIndex((line) => line.includes(old));
  return {
    batchLabel: 'Amounts stay whole numbers',
    files: [
      {
        docPath,
        originalSha256: result.sha256,
        changes: [
          {
            operation: 'replace',
            startLine: line + 1,
            endLine: line + 1,
            expectedOriginalLines: [lines[line]],
            newLines: [lines[line].replace(old, better)],
          },
        ],
      },
    ],
  };
}

function reply(...files) {
  return `\`\`\`json\n${JSON.stringify({ root: '.', files })}\n\`\`\`\n`;
}
