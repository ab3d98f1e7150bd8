// Runs the mocha suite inside the real extension host of a VS Code in a browser. The exit code is mocha's.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { launch } from './browser.mjs';
import { startHost, still } from './host.mjs';
import { build, extension, workspace } from './paths.mjs';

const limit = 180_000; // milliseconds without a word of the tests, so that a hang ends

const logFile = path.join(build, 'test-extension.log');
fs.writeFileSync(logFile, '');

const state = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-host-'));
const folder = path.join(state, 'workspace');
fs.cpSync(workspace, folder, { recursive: true });

// Without this option VS Code ignores the tests in the address. It also accepts confirmations by itself.
const host = await startHost(state, { overrides: still, args: ['--vscode-option', 'enable-smoke-test-driver'] });
const browser = await launch();
let code = 1;
try {
  code = await run();
  if (code !== 0) await browser.page.screenshot({ path: path.join(build, 'screenshots/failed-extension-test.png') });
} finally {
  await browser.close();
  await host.stop();
  fs.rmSync(state, { recursive: true, force: true });
}
process.exit(code);

async function run() {
  const { page } = browser;
  const ended = new Promise((resolve, reject) => {
    const hangs = () => reject(new Error(`the tests said nothing for ${limit / 1000} s`));
    const timer = setTimeout(hangs, limit);
    page.exposeFunction('codeAutomationLog', (_type, args) => {
      log(format(...args));
      timer.refresh();
    });
    page.exposeFunction('codeAutomationExit', (result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
  await page.goto(
    host.url(folder, [
      ['extensionDevelopmentPath', host.remote(extension)],
      ['extensionTestsPath', host.remote(path.join(extension, 'out/test/index.js'))],
    ]),
  );
  return await ended;
}

// log prints the lines of mocha. Everything else that VS Code says goes to a file.
function log(text) {
  const [, line] = /^\[mocha\] ?(.*)$/s.exec(text) ?? [];
  if (line === undefined) fs.appendFileSync(logFile, `${text}\n`);
  else console.log(line);
}
