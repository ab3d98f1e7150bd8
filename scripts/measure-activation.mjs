// Measures how long VS Code takes to load the code of the packaged extension and to call activate(), as "Developer:
// Show Running Extensions" says. It opens RUNS windows, one after the other. The first window also unpacks the program,
// after the activation; that time is printed by itself.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launch } from './browser.mjs';
import { installExtension, startHost } from './host.mjs';
import { localPackage, workspace } from './paths.mjs';

const runs = Number(process.env.RUNS ?? 11);
const state = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-activation-'));
const folder = path.join(state, 'workspace');
fs.cpSync(workspace, folder, { recursive: true });
await installExtension(state, localPackage);
const host = await startHost(state);
const browser = await launch();
try {
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await activation(browser.page));
  times.sort((a, b) => a - b);
  console.log(`unpacking: ${unpacking()} ms`);
  console.log(`activation: median ${times[runs >> 1]} ms (${times[0]}–${times.at(-1)}), ${runs} windows`);
} finally {
  await browser.close();
  await host.stop();
  fs.rmSync(state, { recursive: true, force: true });
}

// activation opens a window and returns the milliseconds that the activation takes.
async function activation(page) {
  await page.goto(host.url(folder));
  const extension = page.locator('.runtime-extensions-editor .extension', { hasText: 'Aptix' });
  const time = extension.locator('.activation-time', { hasText: /\d+/ });
  for (;;) {
    try {
      await showRunningExtensions(page);
      await time.waitFor({ timeout: 20_000 });
      return Number(/\d+/.exec(await time.textContent())[0]);
    } catch (error) {
      if (error.name !== 'TimeoutError') throw error; // a key was lost while the window opens
    }
  }
}

// unpacking returns the milliseconds between the creation of the program's file and its renaming.
function unpacking() {
  const extensions = path.join(state, 'extensions');
  const [folder] = fs.readdirSync(extensions).filter((name) => name.startsWith('aptix.'));
  const { birthtimeMs, ctimeMs } = fs.statSync(path.join(extensions, folder, 'bin/aptix'));
  return Math.round(ctimeMs - birthtimeMs);
}

async function showRunningExtensions(page) {
  const command = 'Developer: Show Running Extensions';
  await page.locator('.monaco-workbench').waitFor();
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').first().fill(`>${command}`, { timeout: 5000 });
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: command }).waitFor({ timeout: 5000 });
  await page.keyboard.press('Enter');
}
