// What a person decided about a reply stays decided: what is skipped, what was applied, where it is saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const patchOf = (path, old, next) => `  {
    "path": "${path}",
    "operation": "patch",
    "patches": [{ "find": "${old}", "replace": "${next}", "limit": "once" }]
  }`;
const bundle = (...entries) => `\`\`\`json\n{\n"root": ".",\n"files": [\n${entries.join(',\n')}\n]\n}\n\`\`\`\n`;
const reply = `First:

${bundle(patchOf('README.md', '# Corner shop', '# The shop'), patchOf('shop/tax_notes.md', 'Taxes', 'All taxes'))}
Then:

${bundle('  { "path": "docs/new.md", "operation": "create", "content": "New.\\n" }')}`;

const { editor } = await openSample({ reply });
editor.writeOnDisk('shop/tax_notes.md', 'Taxes\nMore\n');

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

test('it stays skipped over a restart of the server, until it is included', async () => {
  await editor.run('Aptix: Restart Server');
  await editor.lens('Skipped · Include this file').click();
  await editor.lens('Apply Aptix bundle').first().click();
  await until(() => editor.onDisk()['README.md'].startsWith('# The shop'));
});
