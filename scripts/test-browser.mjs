// Runs the tests of a person with a browser, one file after the other; with arguments, only these files. A file that fails runs
// once more, in a VS Code of its own: a busy machine may lose a click. What fails twice fails; what failed once is named.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

const folder = path.join(root, 'extension/test/browser');
const all = fs.readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
const files = process.argv.length > 2 ? process.argv.slice(2) : all.map((name) => path.join(folder, name));

const once = files.filter(fails);
for (const file of once) console.error(`${path.basename(file)} failed and runs once more`);
const twice = once.filter(fails);
for (const file of once) {
  console.error(`${path.basename(file)} ${twice.includes(file) ? 'failed twice' : 'failed once, then passed'}`);
}
process.exit(twice.length === 0 ? 0 : 1);

function fails(file) {
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], { stdio: 'inherit' });
  return status !== 0;
}
