// A person who is new: opens the sample, and does what each step of the walkthrough says. With PICTURES=dark or light, the
// pictures of the walkthrough are taken on the way.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { extension, sample } from '../../../scripts/paths.mjs';
import { Chat } from './chat.mjs';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const theme = process.env.PICTURES;
const overrides = {
  'workbench.colorTheme': theme === 'light' ? 'Default Light Modern' : 'Default Dark Modern',
};
const { editor } = await openSample({ empty: true, chat: true, overrides });
const chat = new Chat(editor);
const walkthrough = editor.page.locator('.gettingStartedContainer');
const beside = editor.page.locator('.editor-group-container').nth(1);
const checked = '.codicon-getting-started-step-checked';
let original;

after(() => {
  if (original) fs.rmSync(path.dirname(editor.folder), { recursive: true, force: true }); // the copy of the sample
});

test('Open Sample opens a folder with the walkthrough, and the reply beside it', async () => {
  await editor.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Aptix/ })
    .waitFor(); // the palette lists its commands
  await editor.run('Aptix: Open Sample');
  await walkthrough.getByText('Apply your first reply').first().waitFor();
  await shows(editor.lens('Apply Aptix bundle'));
  editor.folder = new URL(editor.page.url()).searchParams.get('folder');
  original = editor.onDisk();
  assert.equal(original['reply.md'], fs.readFileSync(path.join(sample, 'reply.md'), 'utf8'));
  assert.equal(await editor.page.locator('.squiggly-warning').count(), 0);
  await editor.screenshot('walkthrough');
  await editor.page.keyboard.press('Control+b'); // the side bar
  await picture('open', beside);
});

test('a lens and a key do the steps, too', { skip: theme !== undefined }, async () => {
  await shows(editor.lens('Apply Aptix bundle'));
  await editor.lens('Preview').first().click();
  await isDone('Preview the change');
  await editor.button('Discard').click();
  await shows(editor.lens('Apply Aptix bundle'));
  await editor.lens('Apply Aptix bundle').click();
  await isDone('Apply it');
  await shows(editor.state('already applied').first());
  await editor.press('Control+z', () => isDeepStrictEqual(editor.onDisk(), original));
  await isDone('Undo it');
  await shows(editor.lens('Apply Aptix bundle'));
  await editor.screenshot('walkthrough-by-lens');
});

test('the step "preview" shows the diff', async () => {
  await take('Preview the change', 'Preview');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await picture('preview', beside);
  assert.deepEqual(editor.onDisk(), original);
});

test('the step "apply" changes the files', async () => {
  await take('Apply it', 'Apply');
  await until(() => 'shop/tax.py' in editor.onDisk() && !('shop/old_tax.py' in editor.onDisk()));
  await shows(editor.state('already applied').first());
  await picture('apply', beside);
});

test('the step "undo" takes it back', async () => {
  await take('Undo it', 'Undo');
  await until(() => isDeepStrictEqual(editor.onDisk(), original));
  await shows(editor.lens('Apply Aptix bundle'));
  await editor.openViews();
  const history = editor.page.locator('.sidebar .pane', { hasText: 'History' });
  const entry = history.getByRole('treeitem', { name: /reply.md.*undone/ }).first();
  await entry.locator('.monaco-tl-twistie').click();
  await history
    .getByRole('treeitem', { name: /tax.py/ })
    .first()
    .waitFor();
  await picture('undo', history);
  await editor.page.keyboard.press('Control+b'); // the side bar
});

test('the step "fix" opens a broken reply, which Fix and Apply repairs', async () => {
  await take('Repair a broken reply', 'Open the Broken Reply');
  await shows(editor.lens('Fix and Apply'));
  await editor.page.locator('.squiggly-error').first().waitFor();
  await picture('fix', beside);
  await editor.lens('Fix and Apply').click();
  await until(() => editor.onDisk()['shop/discount.py'] === 'RATE = 5  # per cent\n');
  await editor.statusBar.getByText('Aptix: already applied').waitFor();
  await until(() => editor.onDisk()['broken.md'].includes('shop/discount.py')); // saved, so the next key is pressed again if it is lost
});

test('the step "chat" stays open if the chat has no answer', async () => {
  await chat.open();
  await take('Apply from the chat', 'Preview the Last Answer');
  await editor.notification('no answer yet').waitFor();
  await editor.screenshot('walkthrough-no-answer');
  assert.equal(
    await walkthrough.locator('.getting-started-step', { hasText: 'Apply from the chat' }).locator(checked).count(),
    0,
  );
});

test('the step "chat" previews the last answer', async () => {
  chat.answers(original['reply.md']);
  await chat.send('@helper keep amounts whole');
  await chat.done();
  await picture('chat', editor.page.locator('.part.auxiliarybar'));
  await take('Apply from the chat', 'Preview the Last Answer');
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
});

test('every step is done', async () => {
  await until(async () => (await walkthrough.locator(`.getting-started-step ${checked}`).count()) === 6);
  await editor.screenshot('walkthrough-done');
});

function isDone(step) {
  return walkthrough.locator('.getting-started-step', { hasText: step }).locator(checked).waitFor();
}

// take chooses a step of the walkthrough, and its button.
async function take(step, button) {
  await walkthrough.locator('.getting-started-step', { hasText: step }).click();
  await walkthrough
    .locator('.getting-started-step.expanded')
    .getByRole('button', { name: button, exact: true })
    .click();
}

// shows waits for a lens of the reply. VS Code asks for none while the walkthrough is active, and that takes the focus back a
// moment after a click on its button.
async function shows(lens) {
  await until(async () => {
    await beside.locator('.view-line').first().click();
    return appears(lens, 3000);
  });
}

// picture takes the upper part of an element, for the walkthrough.
async function picture(name, locator) {
  if (theme === undefined) return;
  const box = await locator.boundingBox();
  const height = Math.min(box.height, 330); // pixels
  const file = path.join(extension, 'walkthrough', `${name}-${theme}.png`);
  await editor.page.mouse.move(0, 0);
  await editor.page.screenshot({ path: file, clip: { ...box, height }, animations: 'disabled', caret: 'hide' });
}
