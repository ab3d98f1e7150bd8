// A person with a reply that a model got wrong: sees what is wrong, and repairs it with a quick-fix.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

const { editor } = await openSample({ reply, overrides: { 'workbench.colorTheme': 'Default Dark Modern' } });

test('a broken block says what can be read of it', async () => {
  await editor.state('2 errors, 1 of 2 files readable').waitFor();
  await editor.lens('Copy problems for the model').waitFor();
});

test('a quick-fix mends what the menu says', async () => {
  await quickFix('"operation": "create"', 'Insert');
  await editor.state('2 errors').waitFor();
  await quickFix('rates.py', 'Write "shop/rates.py"');
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
  await editor.screenshot('fix-and-apply');
  await editor.lens('Fix and Apply').click();
  await until(() => editor.onDisk()['shop/levy.py'] === 'RATE = 19\n');
  await editor.state('already applied').waitFor();
});

test('a code block without a path is named, and a quick-fix reads it', async () => {
  editor.writeOnDisk('second.md', unlabelled);
  await editor.openFile('second.md');
  await editor.state(/1 file \+1 −1/).waitFor();
  await quickFix('# ... the rest stays ...', 'Read the code block as part of shop/money.py', 'unread');
  await editor.lens('Apply Aptix file').nth(1).waitFor();
  await editor.screenshot('unread-fixed');
});

// quickFix opens the menu on the line that holds text, and takes the fix that begins with title.
async function quickFix(text, title, picture) {
  const line = editor.page.locator('.view-line', { hasText: text }).first();
  const row = editor.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  await until(async () => {
    await editor.page.keyboard.press('Escape');
    await line.click();
    await editor.page.keyboard.press('Home');
    await editor.page.keyboard.press('F8'); // to the next problem, which is on this line
    await editor.page.keyboard.press('Control+.');
    if (!(await appears(row, 3000))) return false;
    if (picture) await editor.screenshot(picture);
    return inTime(() => row.click({ timeout: 3000 })); // the menu closes when the problems change
  });
  await editor.page.keyboard.press('Escape'); // the problem's own window
}
