// Runs the tests that act as a person in a browser; with arguments, only these files. Two files run at a time, each
// with a VS Code, a browser and folders of its own. A file takes some 40 s of a processor, half of them until VS Code
// has started, so a small test belongs into a file that starts alike. A file that fails runs once more by itself,
// because a busy machine may lose a click. If it fails again, the run fails; otherwise the file is only named.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installModel } from '../extension/test/browser/model.mjs';
import { installExtension } from './host.mjs';
import { localPackage, root } from './paths.mjs';

const together = 2;
const longest = 20 * 60_000; // milliseconds of a file; an agent that is not answered would wait for ever

const folder = path.join(root, 'extension/test/browser');
const size = (name) => fs.statSync(path.join(folder, name)).size;
// A large file usually takes long, so it starts early.
const all = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .sort((a, b) => size(b) - size(a));
const files = process.argv.length > 2 ? process.argv.slice(2) : all.map((name) => path.join(folder, name));

// The extensions are installed once with the model of the chat and once without, and each file copies them.
const installed = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-installed-'));
process.on('exit', () => fs.rmSync(installed, { recursive: true, force: true }));
process.env.APTIX_INSTALLED = installed;
const [plain, chat] = ['plain', 'chat'].map((name) => path.join(installed, name));
fs.mkdirSync(plain);
await installExtension(plain, localPackage);
fs.cpSync(plain, chat, { recursive: true });
await installModel(chat);

const failed = await failures(files, together);
for (const file of failed) console.error(`${path.basename(file)} failed and runs once more`);
const twice = await failures(failed, 1);
for (const file of failed) {
  console.error(`${path.basename(file)} ${twice.includes(file) ? 'failed twice' : 'failed once, then passed'}`);
}
process.exit(twice.length === 0 ? 0 : 1);

// failures runs files, at most atATime at the same time, and returns the files that fail.
async function failures(files, atATime) {
  const left = [...files];
  const failed = [];
  const runner = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      if (await fails(file)) failed.push(file);
    }
  };
  await Promise.all(Array.from({ length: atATime }, runner));
  return failed;
}

// fails runs a file, and prints its output when the file has ended, so that the lines of two files do not mix.
async function fails(file) {
  const started = Date.now();
  const args = ['--test', '--test-reporter=spec', `--test-timeout=${longest}`, file];
  const test = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [test.stdout, test.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [status] = await once(test, 'close');
  console.log(`${path.basename(file)}, ${Math.round((Date.now() - started) / 1000)} s\n${said}`);
  return status !== 0;
}
