// A person with the view of replies: sees what is open, leaves a file out, applies from there.
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { appears, until } from './until.mjs';

const { editor } = await openSample();
const row = (name) => editor.page.getByRole('tree', { name: 'Replies' }).getByRole('treeitem', { name });
const box = (name) => row(name).getByRole('checkbox');

// choose clicks the check box of a file until its row says what that does: a row that is drawn again loses the click.
async function choose(seen) {
  await until(async () => {
    if (await seen.isVisible()) return true;
    await box(/^shop\/tax\.py/).click();
    return appears(seen, 10_000);
  });
}

test('an open reply is listed with its state, and counted on the icon', async () => {
  await editor.lens('Apply Aptix bundle').waitFor();
  await editor.openViews();
  await row(/^reply\.md, \d+ files .*, 2 of 2 blocks ready/).waitFor();
  await editor.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Aptix.*1 reply can be applied/ })
    .waitFor();
});

test('its blocks are below it, with their files and states', async () => {
  await row(/^Block 2, a file bundle, 4 files \+17 −14/).waitFor();
  await row(/^shop\/tax\.py, create \+\d+ −0/).waitFor();
  await row(/^shop\/old_tax\.py, delete \+0 −\d+/).waitFor();
  await editor.screenshot('replies');
});

test('a file whose box is not checked is left out', async () => {
  await choose(row(/^shop\/tax\.py, skipped/));
  await row(/^Block 2, a file bundle, 3 files .*, 1 skipped/).waitFor();
  await editor.state('1 skipped').waitFor();
  await editor.inThemes('replies-skipped');
  await choose(row(/^shop\/tax\.py, create/));
});

test('a row opens its place in the reply', async () => {
  await row(/^shop\/old_tax\.py/).click();
  await until(async () => (await editor.lines()).some((line) => line.includes('old_tax.py')));
});

test('Preview in the row of a block shows its files', async () => {
  await row(/^Block 2/).hover();
  await row(/^Block 2/)
    .getByRole('button', { name: 'Preview' })
    .click();
  await editor.page.locator('.multiDiffEntry .view-line', { hasText: 'RATE = 19' }).waitFor();
  await editor.button('Discard').click();
  await editor.diffEntries.first().waitFor({ state: 'detached' });
});

test('Apply in its row applies all its blocks', async () => {
  await row(/^reply\.md/).hover();
  await row(/^reply\.md/)
    .getByRole('button', { name: 'Apply' })
    .click();
  await row(/^reply\.md, already applied, 0 of 2 blocks ready/).waitFor();
  await row(/^shop\/tax\.py, already applied/).waitFor();
  await until(() => 'shop/tax.py' in editor.onDisk());
  await editor.screenshot('replies-applied');
});
