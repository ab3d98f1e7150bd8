// Opens the sample workspace and its walkthrough in an editor with the packaged extension, and stays until the editor is closed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram } from './find-program.mjs';
import { installExtension, settings, startHost } from './host.mjs';
import { build, localPackage, root, sample } from './paths.mjs';

const state = path.join(build, 'run');
// The sample is not below build/: git ignores that folder, so every file of the sample would have a warning.
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-run-'));
const folder = path.join(temporary, 'aptix-sample');
fs.cpSync(sample, folder, { recursive: true });
console.log(`The sample workspace is ${folder}, until the editor is closed.`);

const code = findProgram('code');
try {
  await (code ? runCode() : runHost());
} finally {
  fs.rmSync(temporary, { recursive: true, force: true });
}

// runCode opens the person's own VS Code with a temporary profile.
async function runCode() {
  const profile = [
    '--user-data-dir',
    path.join(state, 'code'),
    '--extensions-dir',
    path.join(state, 'code-extensions'),
  ];
  fs.mkdirSync(path.join(state, 'code/User'), { recursive: true });
  fs.writeFileSync(path.join(state, 'code/User/settings.json'), JSON.stringify(settings, null, 2));
  execFileSync(code, [...profile, '--install-extension', localPackage, '--force'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const editor = spawn(code, [...profile, '--new-window', '--wait', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(`ready: ${pathToFileURL(folder)}`);
  await once(editor, 'exit');
}

async function runHost() {
  execFileSync(process.execPath, [path.join(root, 'scripts/install-host.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await installExtension(state, localPackage);
  const host = await startHost(state);
  console.log(`ready: ${host.url(folder)}`);
  console.log('Open it in a browser. Ctrl+C ends it.');
  const signal = await new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, resolve);
    host.exited.then(resolve);
  });
  await host.stop();
  if (typeof signal !== 'string') throw new Error(`code-server ended by itself:\n${host.log()}`);
}
