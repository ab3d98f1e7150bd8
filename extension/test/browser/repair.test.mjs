// A person with a reply that a model got wrong: sees what is wrong, and repairs it with a quick-fix. Then what the
// person decided about a reply stays decided: what is skipped, what was applied, where it is saved.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openSample } from './editor.mjs';
import { appears, inTime, until } from './until.mjs';

// A backslash in a path, a find that the file has at another indentation, and a missing comma.
const reply = `Here you are.

\`\`\`json
{
  "root": ".",
  "files": [
    {
      "path": "shop\\\\rates.py",
      "operation": "create"
      "content": "RATE = 19\\n"
    },
    {
      "path": "shop/cart.py",
      "operation": "patch",
      "patches": [
        {
          "find": "total = 0\\nfor name, cents, count in self.lines:\\n    total += cents * count",
          "replace": "total = 0\\nfor _, cents, count in self.lines:\\n    total += cents * count",
          "limit": "once"
        }
      ]
    }
  ]
}
\`\`\`
`;

// Certain repairs alone make this one right.
const broken = `\`\`\`json
{
  "root": ".",
  "files": [
    {
      "path": "shop\\\\levy.py",
      "operation": "create"
      "content": "RATE = 19\\n"
    }
  ]
}
\`\`\`
`;

// A certain repair, and a find that is in a longer word, which asks.
const doubtful = `\`\`\`json
{
  "root": ".",
  "files": [
    {
      "path": "README.md",
      "operation": "patch"
      "patches": [{ "find": "Price", "replace": "Prize", "limit": "once" }]
    }
  ]
}
\`\`\`
`;

// The second fence has no path of its own.
const unlabelled = `\`shop/money.py\`

\`\`\`python
# ... the rest stays ...
def percent_of(cents, percent):
    return cents * percent // 100
\`\`\`

\`\`\`python
# ... the rest stays ...
def format_cents(cents):
    return "%d.%02d" % divmod(cents, 100)
# ... the rest stays ...
\`\`\`
`;

const patchOf = (path, old, next) => `  {
    "path": "${path}",
    "operation": "patch",
    "patches": [{ "find": "${old}", "replace": "${next}", "limit": "once" }]
  }`;
const bundle = (...entries) => `\`\`\`json\n{\n"root": ".",\n"files": [\n${entries.join(',\n')}\n]\n}\n\`\`\`\n`;
const twoBlocks = `First:

${bundle(patchOf('README.md', '# Corner shop', '# The shop'), patchOf('shop/tax_notes.md', 'Taxes', 'All taxes'))}
Then:

${bundle('  { "path": "docs/new.md", "operation": "create", "content": "New.\\n" }')}`;

const { editor, environment } = await openSample({
  reply,
  overrides: { 'workbench.colorTheme': 'Default Dark Modern' },
});

test('a broken block says what can be read of it', async () => {
  await editor.state('2 errors; 1 of 2 files can be read').waitFor();
  await editor.lens('Copy problems for the model').waitFor();
});

test('a quick-fix mends what the menu says', async () => {
  await quickFix('"operation": "create"', 'Insert');
  await editor.state('2 errors').waitFor();
  await quickFix('rates.py', 'Write the path "shop/rates.py"');
  await quickFix('"find":', 'Use the text at line', 'repair');
  await editor.state(/2 files \+2 −1/).waitFor();
  await editor.screenshot('repaired');
});

test('the repaired block applies', async () => {
  await editor.lens('Apply Aptix bundle').click();
  await until(() => editor.onDisk()['shop/cart.py'].includes('\n        for _, cents, count in self.lines:\n'));
  assert.equal(editor.onDisk()['shop/rates.py'], 'RATE = 19\n');
});

test('Fix and Apply mends the reply and applies it', async () => {
  editor.writeOnDisk('again.md', broken);
  await editor.openFile('again.md');
  await editor.lens('Fix and Apply').waitFor();
  assert.match((await editor.state('Fix and Apply').textContent()).trim(), /^Fix and Apply/); // a narrow editor cuts off the last
  await editor.screenshot('fix-and-apply');
  await editor.lens('Fix and Apply').click();
  await until(() => editor.onDisk()['shop/levy.py'] === 'RATE = 19\n');
  await editor.state('already applied').waitFor();
});

test('if Fix and Apply asks, it lists the repairs', async () => {
  editor.writeOnDisk('asks.md', doubtful);
  await editor.openFile('asks.md');
  await editor.lens('Fix and Apply').click();
  const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'part of a longer word' });
  await dialog.getByText('Insert').waitFor();
  await editor.screenshot('fix-and-apply-asks');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a path that does not exist has the one that was meant', async () => {
  editor.writeOnDisk('path.md', bundle(patchOf('shop/carts.py', 'self.lines = []', 'self.lines = list()')));
  await editor.openFile('path.md');
  await editor.state('1 error').waitFor();
  await editor.run('Problems: Focus on Problems View');
  const problem = editor.page.locator('.markers-panel .monaco-list-row', { hasText: 'did you mean shop/cart.py?' });
  const text = problem.locator('.marker-message, .marker-message-line').first();
  assert.ok(await text.evaluate((shown) => shown.scrollWidth <= shown.clientWidth), 'the message is cut off');
  await editor.screenshot('did-you-mean');
  await editor.run('View: Hide Panel');
  await quickFix('carts.py', 'Write the path "shop/cart.py"');
  await editor.state('1 file +1 −1').waitFor();
  await editor.lens('Apply Aptix bundle').click();
  await until(() => editor.onDisk()['shop/cart.py'].includes('self.lines = list()'));
});

test('a comment with the path in new text is left out by a certain fix', async () => {
  editor.writeOnDisk(
    'comment.md',
    bundle(
      '  { "path": "src/x.ts", "operation": "create", "content": "// filepath: src/x.ts\\nexport const a = 3;\\n" }',
    ),
  );
  await editor.openFile('comment.md');
  await quickFix('filepath', 'Leave out "// filepath: src/x.ts"', 'path-comment');
  await editor.lens('Apply Aptix bundle').click();
  await until(() => editor.onDisk()['src/x.ts'] === 'export const a = 3;\n');
});

test('a code block without a path is named, and a quick-fix reads it', async () => {
  editor.writeOnDisk('second.md', unlabelled);
  await editor.openFile('second.md');
  await editor.state(/1 file \+1 −1/).waitFor();
  await quickFix('# ... the rest stays ...', 'Read the code block as part of shop/money.py', 'unread');
  await editor.lens('Apply Aptix file').nth(1).waitFor();
  await editor.screenshot('unread-fixed');
});

test('a preview leaves the tab of its reply', async () => {
  await editor.startOver(twoBlocks);
  editor.writeOnDisk('shop/tax_notes.md', 'Taxes\nMore\n');
  editor.writeOnDisk('third.md', bundle('  { "path": "docs/third.md", "operation": "create", "content": "New.\\n" }'));
  const file = editor.page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'third.md' });
  await until(async () => {
    await file.click(); // Shown for a moment only. The rows may move meanwhile.
    return appears(editor.tab('third.md'), 5000);
  });
  await editor.shows('third.md');
  await editor.state('1 file +1 −0').waitFor();
  await editor.lens('Preview').click();
  await editor.button('Discard').waitFor();
  await editor.page.locator('.tab', { hasText: 'third.md' }).waitFor();
  await editor.button('Apply').click();
  await editor.lens('Revert').waitFor();
  await editor.openFile('reply.md');
});

test('a file that is skipped stays skipped after its block was applied', async () => {
  await editor.lens('Skip this file').first().click();
  await editor.lens('Skipped · Include this file').waitFor();
  await editor.lens('Apply Aptix bundle').first().click();
  await editor.state('already applied, 1 skipped').waitFor();
  await editor.lens('Skipped · Include this file').waitFor();
  await editor.screenshot('decided-skipped');
  await editor.lens('Apply all 2 Aptix blocks').click();
  await until(() => 'docs/new.md' in editor.onDisk());
  assert.match(editor.onDisk()['README.md'], /^# Corner shop/);
  assert.match(editor.onDisk()['shop/tax_notes.md'], /^All taxes/);
});

test('it stays skipped when the window opens again, until it is included', async () => {
  await editor.page.reload();
  await editor.lens('Skipped · Include this file').click();
  await editor.state('1 file +1 −1').waitFor();
  await editor.lens('Apply Aptix bundle').first().click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
});

test('what was applied is history: an edit of its lines is no error', async () => {
  await editor.openFile('README.md');
  await editor.focus();
  await editor.page.keyboard.press('Control+Home');
  await editor.page.keyboard.press('Shift+End');
  await editor.page.keyboard.insertText('# A shop of my own');
  await editor.openFile('reply.md');
  await editor.state('applied, changed since').waitFor();
  await editor.lens('Show Changes').first().waitFor();
  assert.equal(await editor.page.locator('.squiggly-error').count(), 0);
  await editor.openViews();
  await editor.page.getByRole('treeitem', { name: /^reply\.md, applied, changed since/ }).waitFor();
  await editor.screenshot('decided-history');
  await editor.lens('Show Changes').first().click();
  await editor.page.locator('.multiDiffEntry .modified .view-line', { hasText: '# The shop' }).waitFor();
  await editor.screenshot('decided-history-changes');
  await editor.openFile('reply.md');
});

test('a reply can be removed from Replies', async () => {
  const row = editor.page.getByRole('treeitem', { name: /^reply\.md, applied, changed since/ });
  await row.hover();
  await row.getByRole('button', { name: 'Remove from Replies' }).click();
  await row.waitFor({ state: 'detached' });
  await editor.lens('Show Changes').first().waitFor({ state: 'detached' });
  await editor.screenshot('decided-removed');
});

test('Fix and Apply in a document without a name applies, and asks for no name', async () => {
  await editor.press('Control+Alt+n', () => editor.tab('Untitled-1').isVisible());
  await editor.page.keyboard.insertText(
    bundle('  { "path": "docs\\\\fixed.md", "operation": "create", "content": "Fixed.\\n" }'),
  );
  await editor.lens('Fix and Apply').click();
  await until(() => editor.onDisk()['docs/fixed.md'] === 'Fixed.\n');
  await editor.lens('Revert').first().waitFor();
  assert.equal(await editor.page.locator('.quick-input-widget:visible, .monaco-dialog-box').count(), 0);
  await editor.screenshot('decided-untitled');
});

test('the lenses follow an apply whose record comes late', async () => {
  await editor.startOver(bundle('  { "path": "docs/late.md", "operation": "create", "content": "New.\\n" }'));
  const server = serverOf(environment.XDG_STATE_HOME);
  await editor.lens('Apply Aptix bundle').click();
  await until(() => 'docs/late.md' in editor.onDisk());
  process.kill(server, 'SIGSTOP');
  await delay(3000);
  await editor.screenshot('decided-late');
  process.kill(server, 'SIGCONT');
  await editor.lens('Revert').waitFor();
  assert.equal(await editor.lens('Apply Aptix bundle').count(), 0);
  await editor.screenshot('decided-late-applied');
});

// serverOf is the process of the language server that has this state folder.
function serverOf(state) {
  const read = (pid, file) => {
    try {
      return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    } catch {
      return []; // it has ended, or is another user's
    }
  };
  const ours = (pid) =>
    read(pid, 'cmdline').includes('lsp') && read(pid, 'environ').includes(`XDG_STATE_HOME=${state}`);
  return Number(fs.readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && ours(pid)));
}

// quickFix opens the menu on the line that holds text, and takes the fix that begins with title.
async function quickFix(text, title, picture) {
  const line = editor.page.locator('.view-line', { hasText: text }).first();
  const row = editor.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  let tried = false;
  await until(async () => {
    if (tried && (await line.count()) === 0) return true; // the fix was made, although its click took too long
    await editor.page.keyboard.press('Escape');
    await line.click();
    await editor.page.keyboard.press('Home');
    await editor.page.keyboard.press('F8'); // to the next problem, which is on this line
    await editor.page.keyboard.press('Control+.');
    if (!(await appears(row, 3000))) return false;
    if (picture) await editor.screenshot(picture);
    tried = true;
    return inTime(() => row.click({ timeout: 3000 })); // the menu closes when the problems change
  });
  await editor.page.keyboard.press('Escape'); // the problem's own window
}
