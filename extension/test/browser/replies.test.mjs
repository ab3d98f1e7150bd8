// A person with the view of replies: sees what is open, applies from there, and closes it.
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const { editor } = await openSample();
const row = (name) => editor.page.getByRole('tree', { name: 'Replies' }).getByRole('treeitem', { name });

test('an open reply is listed with its state, and counted on the icon', async () => {
  await editor.lens('Apply Aptix bundle').waitFor();
  await editor.openViews();
  await row(/^reply\.md, \d+ files .*, 2 of 2 blocks ready/).waitFor();
  await editor.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Aptix.*1 reply can be applied/ })
    .waitFor();
  await editor.screenshot('replies');
});

test('Apply in its row applies all its blocks', async () => {
  await row(/^reply\.md/).hover();
  await row(/^reply\.md/)
    .getByRole('button', { name: 'Apply' })
    .click();
  await row(/^reply\.md, already applied, 0 of 2 blocks ready/).waitFor();
  await until(() => 'shop/tax.py' in editor.onDisk());
  await editor.screenshot('replies-applied');
});
