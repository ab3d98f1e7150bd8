// A person with the history: looks at what was applied, reverts it, and keeps what they wrote since.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const { editor, original, program, environment } = await openSample();
let applied;

test('the view is empty at first', async () => {
  await editor.lens('Apply Aptix bundle').waitFor();
  await editor.openViews();
  await editor.page.getByText('Nothing has been applied to this workspace yet').waitFor();
  await editor.screenshot('history-empty');
});

test('an apply shows up, with its files', async () => {
  await editor.focus(); // VS Code does not finish lenses while the editor loses the focus, and draws old ones without a link
  await editor.lens('Apply Aptix bundle').click();
  await row(/^reply\.md, 4 files, \d+ added, \d+ removed, now, applied$/).waitFor();
  await editor.statusBar.getByText('Applied 4 files +17 −14').waitFor(); // once all is saved
  applied = editor.onDisk();
  await twistie(row(/^reply\.md/)).click();
  await row(/^shop\/tax\.py, created/).waitFor();
  await row(/^shop\/old_tax\.py, deleted/).waitFor();
  await editor.screenshot('history');
});

test('its tooltip says who applied it, and when', async () => {
  const tooltip = editor.page.locator('.workbench-hover', { hasText: 'Applied in an editor on' });
  await until(async () => {
    await section().hover(); // a row that is drawn again under the mouse shows none
    await row(/^reply\.md/).hover();
    return appears(tooltip, 3000);
  });
  await editor.screenshot('history-tooltip');
});

test('a click on a file shows its diff', async () => {
  await open(row(/^shop\/cart\.py/), activeTab('shop/cart.py (reply.md)'));
  await editor.page.locator('.modified .view-line', { hasText: 'from shop.tax import tax' }).first().waitFor();
  await editor.screenshot('history-file');
  await open(row(/^shop\/tax\.py/), activeTab('shop/tax.py (reply.md)'));
  await editor.page.locator('.modified .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.screenshot('history-created');
});

test('a click on an apply shows all that it did', async () => {
  await open(row(/^reply\.md/), activeTab('Aptix: reply.md'));
  await editor.diffEntries.filter({ hasText: 'tax.py' }).first().waitFor();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.screenshot('history-changes');
});

test('what another program applies shows up by itself, and what was open stays open', async () => {
  commandLine(['apply', '--root', 'shop'], bundle('new.py'));
  await row(/^standard input, 1 file/).waitFor();
  await row(/^shop\/tax\.py/).waitFor();
  await editor.screenshot('history-two');
  const made = path.join(editor.folder, 'shop/new.py');
  const content = fs.readFileSync(made);
  fs.rmSync(made); // as a checkout does
  await row(/^standard input, 1 file.*, undone$/).waitFor();
  await editor.screenshot('history-undone');
  fs.writeFileSync(made, content);
  await row(/^standard input, 1 file.*, applied$/).waitFor();
  commandLine(['revert', '--root', 'shop']);
  await row(/^Revert of standard input/).waitFor();
  assert.deepEqual(editor.onDisk(), applied);
});

test('a revert asks, and then restores all files', async () => {
  const asks = dialog('Revert “reply.md”?');
  await until(async () => {
    if (await asks.isVisible()) return true;
    await row(/^reply\.md/).hover();
    // The view may be filled again during the click, which then does nothing.
    await row(/^reply\.md/)
      .getByRole('button', { name: 'Revert' })
      .click();
    return appears(asks, 5000);
  });
  await editor.screenshot('history-confirm');
  await dialog('Revert “reply.md”?').getByRole('button', { name: 'Revert' }).click();
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await row(/^Revert of reply\.md, 4 files/).waitFor();
  await row(/^reply\.md.*, reverted$/).waitFor();
  await editor.screenshot('history-reverted');
});

test('a revert is reverted by Apply Again', async () => {
  await editor.choose(row(/^Revert of reply\.md/).first(), 'Apply Again…', dialog('Apply “reply.md” again?'));
  await dialog('Apply “reply.md” again?').getByRole('button', { name: 'Apply Again' }).click();
  await until(() => isDeepStrictEqual(editor.onDisk(), applied));
  await row(/^reply\.md, applied again, 4 files/).waitFor();
  await editor.notification('Reverted 4 files +17 −14').waitFor(); // once all is saved
});

test('later edits are named, previewed and kept', async () => {
  const own = '\n# My own line.\n';
  const later = { ...original, 'shop/cart.py': original['shop/cart.py'] + own };
  fs.appendFileSync(path.join(editor.folder, 'shop/cart.py'), own);
  await editor.openFile('cart.py');
  await until(async () => (await editor.lines()).includes('# My own line.'));
  await row(/^reply\.md, 4 files.*, changed since$/).waitFor();
  await editor.inThemes('history-changed');
  await editor.choose(row(/^reply\.md, 4 files/).first(), 'Revert…', dialog('Revert “reply.md”?'));
  await dialog('Revert “reply.md”?').getByRole('button', { name: 'Revert' }).click();
  const question = dialog('was not reverted');
  await question.getByText('shop/cart.py: it has been edited since').waitFor();
  await editor.screenshot('history-conflict');
  await question.getByRole('button', { name: 'Show Merge Preview' }).click();
  await activeTab('Aptix: revert reply.md').waitFor();
  await editor.button('Revert and Keep Later Edits').waitFor();
  await editor.screenshot('history-merge');
  await editor.button('Revert and Keep Later Edits').click();
  await until(() => isDeepStrictEqual(editor.onDisk(), later));
  await row(/^Revert of reply\.md/)
    .nth(1)
    .waitFor(); // now the rows below the new one have moved
});

test('what was open stays readable while the server starts again', async () => {
  const show = row(/^reply\.md, 4 files.*, reverted$/);
  await open(show, editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }));
  await editor.openFile('README.md');
  await editor.run('Aptix: Restart Server');
  await show.waitFor();
  await activate('Aptix: reply.md');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await open(row(/^Revert of reply\.md/).first(), editor.diffEntries.filter({ hasText: 'old_tax.py' }).first());
});

test('Revert Last Apply takes back the latest that is in force', async () => {
  editor.writeOnDisk('shop/cart.py', original['shop/cart.py']);
  commandLine(['apply'], bundle('first.py'));
  commandLine(['apply'], bundle('second.py'));
  await row(/^standard input, 1 file/)
    .nth(1)
    .waitFor();
  await editor.run('Aptix: Revert Last Apply');
  const question = dialog('Revert “standard input”?');
  await question.getByText('second.py').waitFor();
  await question.getByRole('button', { name: 'Revert' }).click();
  await until(() =>
    isDeepStrictEqual(Object.keys(editor.onDisk()).sort(), [...Object.keys(original), 'first.py'].sort()),
  );
});

test('the entries of several folders say which it is', async () => {
  const state = path.dirname(editor.folder);
  const second = path.join(state, 'bakery');
  fs.mkdirSync(second);
  fs.writeFileSync(
    path.join(state, 'both.code-workspace'),
    '{"folders": [{"path": "corner-shop"}, {"path": "bakery"}]}',
  );
  const url = new URL(editor.page.url());
  url.search = '';
  url.searchParams.set('workspace', path.join(state, 'both.code-workspace'));
  // The browser's VS Code sometimes opens a workspace file with none of its folders.
  await until(async () => {
    await editor.page.goto(url.href);
    await editor.openViews();
    return appears(section(), 15_000);
  });
  await row(/^standard input, 1 file.*, corner-shop$/)
    .first()
    .waitFor();
  commandLine(['apply', '--root', second], bundle('bread.py'));
  await row(/^standard input, 1 file.*, bakery$/).waitFor();
  await editor.screenshot('history-folders');
});

test('a reply that may be for any of several folders asks which, until it is answered', async () => {
  await editor.copy(bundle('cake.py'));
  const folder = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'bakery' });
  const question = dialog('Apply 1 file +1 −0?');
  await until(async () => {
    await editor.run('Aptix: Apply from Clipboard');
    return appears(folder, 10_000);
  });
  await section().click();
  await editor.screenshot('question-folder');
  await until(async () => {
    await folder.click({ timeout: 3000 }).catch(() => {});
    return appears(question, 3000);
  });
  await question.getByRole('button', { name: 'Apply', exact: true }).click();
  await until(() => fs.existsSync(path.join(path.dirname(editor.folder), 'bakery/cake.py')));
  assert.equal(fs.existsSync(path.join(editor.folder, 'cake.py')), false);
});

function section() {
  return editor.page.locator('.pane-header', { hasText: 'History' });
}

// row is a row of the view by what a screen reader says of it.
function row(name) {
  return editor.page.getByRole('tree', { name: 'History' }).getByRole('treeitem', { name });
}

function twistie(item) {
  return item.locator('.monaco-tl-twistie');
}

function activeTab(name) {
  return editor.page.locator('.editor-group-container.active .tab.active', { hasText: name });
}

function activate(name) {
  return editor.page.locator('.editor-group-container.active .tab', { hasText: name }).first().click();
}

function dialog(text) {
  return editor.page.locator('.monaco-dialog-box', { hasText: text });
}

// open clicks a row until what it opens is there: a click is lost where the view is drawn again under it.
async function open(item, opened) {
  await until(async () => {
    await item.click({ timeout: 3000 }).catch(() => {});
    return appears(opened, 5000);
  });
}

function bundle(name) {
  const files = [{ path: name, operation: 'create', content: 'x = 1\n' }];
  return `\`\`\`json\n${JSON.stringify({ root: '.', files })}\n\`\`\`\n`;
}

// commandLine runs the program in the sample, with the editor's history.
function commandLine(args, input = '') {
  const options = { cwd: editor.folder, env: environment, input, stdio: 'pipe' };
  return execFileSync(program, args, options);
}
