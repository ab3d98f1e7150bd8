import assert from 'node:assert/strict';
import fs from 'node:fs';
import {
  type CodeLens,
  commands,
  Position,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { ApplyResult } from '../src/protocol.gen';
import { filesAre, onDisk, original, reset, show, type Tree, text, until, untitled, uri, writeOnDisk } from './sample';

const readme = text(original(), 'README.md');
const money = text(original(), 'shop/money.py');
const own = '\n# My own words.\n';

const rename = `diff --git a/shop/money.py b/shop/cents.py
similarity index 90%
rename from shop/money.py
rename to shop/cents.py
--- a/shop/money.py
+++ b/shop/cents.py
@@ -1 +1 @@
-"""Amounts of money, in cents."""
+"""Cents."""
`;

const twoHunks = `diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# Corner shop
+# The corner shop
 
 Prices a shopping cart.
@@ -9,2 +9,2 @@
 - Amounts are in cents.
-- Tax is added at the end.
+- Tax is added last.
`;

const links = `diff --git a/latest.md b/latest.md
new file mode 120000
--- /dev/null
+++ b/latest.md
@@ -0,0 +1 @@
+README.md
\\ No newline at end of file
diff --git a/shop/cart.py b/shop/cart.py
old mode 100644
new mode 100755
`;

const ap = `# Summary: a constant.
0a1b2c3d AP 3.1

0a1b2c3d FILE
money.py

0a1b2c3d INSERT_AFTER
0a1b2c3d snippet
"""Amounts of money, in cents."""
0a1b2c3d content
SCALE = """100"""
`;

describe('a git patch', () => {
  beforeEach(reset);

  it('renames a file and edits it, which one undo takes back', () => renameUndoRedo(''));

  it('moves unsaved text with the file, and leaves it unsaved', () => renameUndoRedo(own));

  it('renames a file even if VS Code still holds a document with the new name', async () => {
    writeOnDisk('shop/cents.py', 'gone\n');
    const held = await workspace.openTextDocument(uri('shop/cents.py'));
    await until(() => held.getText() === 'gone\n');
    await titles((await reply('diff', rename)).uri, 0); // the server sees the document before the file is deleted
    fs.rmSync(uri('shop/cents.py').fsPath);
    await renameUndoRedo('');
    await renameUndoRedo(own);
  });

  it('is applied without a hunk that is skipped', async () => {
    const document = await reply('diff', twoHunks);
    assert.deepEqual(await titles(document.uri, 4), ['Skip this hunk', 'Only this hunk']);
    const skip = { uri: document.uri.toString(), block: 1, part: 1, mode: 'skip' };
    await commands.executeCommand('aptix.skip', skip);
    assert.deepEqual(await titles(document.uri, 4), ['Skipped · Include this hunk']);
    assert.deepEqual(await titles(document.uri, 0), ['Preview', 'Apply Aptix patch', '1 file +1 −1, 1 skipped']);
    await apply(document);
    const wanted = original().set('README.md', readme.replace('added at the end', 'added last'));
    await filesAre(wanted);
    await commands.executeCommand('aptix.skip', { ...skip, mode: 'include' }); // other tests use the same block
  });

  it('says what an undo does not take back', async () => {
    const document = await reply('diff', links + twoHunks);
    const result = await apply(document);
    assert.equal(result.verified, true, result.message);
    assert.match(
      result.message,
      /1 symbolic link and 1 executable bit were written to disk; undo does not restore them$/,
      JSON.stringify(result),
    );
    assert.equal(fs.readlinkSync(uri('latest.md').fsPath), 'README.md');
    assert.equal(fs.statSync(uri('shop/cart.py').fsPath).mode & 0o100, 0o100);
    fs.unlinkSync(uri('latest.md').fsPath);
    fs.chmodSync(uri('shop/cart.py').fsPath, 0o644);
  });

  it('may be a document of its own', async () => {
    writeOnDisk('shop/fix.patch', twoHunks);
    const document = await show('shop/fix.patch');
    assert.equal(document.languageId, 'diff');
    assert.deepEqual(await titles(document.uri, 0), ['Preview', 'Apply Aptix patch', '1 file +2 −2']);
  });
});

describe('an ap patch', () => {
  beforeEach(reset);

  it('in a file of its own is relative to its folder', async () => {
    writeOnDisk('shop/fix.ap', ap);
    const document = await show('shop/fix.ap');
    assert.equal(document.languageId, 'aptix-ap');
    assert.deepEqual(await titles(document.uri, 0), ['Preview', 'Apply Aptix patch', '1 file +1 −0']);
    const result = await apply(document);
    assert.equal(result.verified, true, result.message);
    const [first = '', ...rest] = money.split('\n');
    assert.equal(onDisk().get('shop/money.py'), [first, 'SCALE = """100"""', ...rest].join('\n'));
  });
});

// renameUndoRedo applies a rename, undoes it and redoes it. words are text that a person typed before and did not save.
async function renameUndoRedo(words: string): Promise<void> {
  if (words !== '') await type(await show('shop/money.py'), words);
  const document = await reply('diff', rename);
  const result = await apply(document);
  assert.deepEqual([result.applied, result.verified, result.left], [true, true, []], result.message);
  const saved = words === '' ? renamed('') : moved();
  await filesAre(saved, renamed(words));
  await window.showTextDocument(document);
  await commands.executeCommand('undo');
  await filesAre(original(), original().set('shop/money.py', money + words));
  await commands.executeCommand('redo');
  await filesAre(saved, renamed(words));
  await commands.executeCommand('undo');
  await filesAre(original(), original().set('shop/money.py', money + words));
}

async function reply(tag: string, patch: string): Promise<TextDocument> {
  const content = `\`\`\`${tag}\n${patch}\`\`\`\n`;
  const document = await untitled(content);
  await window.showTextDocument(document);
  return document;
}

function renamed(more: string): Tree {
  const tree = original();
  tree.delete('shop/money.py');
  return tree.set('shop/cents.py', money.replace('Amounts of money, in cents', 'Cents') + more);
}

// moved returns the tree in which only the rename is on disk.
function moved(): Tree {
  const tree = original().set('shop/cents.py', money);
  tree.delete('shop/money.py');
  return tree;
}

async function type(document: TextDocument, words: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, new Position(document.lineCount, 0), words);
  await workspace.applyEdit(edit);
}

async function apply(document: TextDocument): Promise<ApplyResult> {
  await until(async () => (await commands.getCommands()).includes('aptix.apply'));
  return await commands.executeCommand<ApplyResult>('aptix.apply', { uri: document.uri.toString(), block: null });
}

// titles returns the titles of the lenses on a line.
async function titles(document: Uri, line: number): Promise<(string | undefined)[]> {
  return await until(async () => {
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document);
    const here = lenses.filter(({ range }) => range.start.line === line).map(({ command }) => command?.title);
    return here.length > 0 ? here : undefined;
  });
}
