// Runs the mocha suite inside the real extension host of a VS Code in a browser. The exit code is mocha's.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { launch } from './browser.mjs';
import { startHost } from './host.mjs';
import { build, extension, workspace } from './paths.mjs';

const limit = 240_000; // milliseconds for the whole run, so that a hang ends

const logFile = path.join(build, 'test-extension.log');
fs.writeFileSync(logFile, '');

// In some runs a save that VS Code 1.139 was asked for never ends, and all tests after it fail; it was seen with files that
// tests had just written on disk, and why is not known. So all tests are run again, in a new host. What fails for a
// reason of ours fails each time.
const attempts = 4;

let code = 1;
for (let n = 1; n <= attempts && code !== 0; n++) {
  if (n > 1) console.log(`\nThe tests failed. All of them run again, in a new host (${n} of ${attempts}).`);
  code = await attempt();
}
process.exit(code);

async function attempt() {
  const state = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-host-'));
  const folder = path.join(state, 'workspace');
  fs.cpSync(workspace, folder, { recursive: true });
  // Without this option VS Code ignores the tests in the address. It also accepts confirmations by itself.
  const host = await startHost(state, { args: ['--vscode-option', 'enable-smoke-test-driver'] });
  const browser = await launch();
  try {
    const code = await run(host, browser, folder);
    if (code !== 0) await browser.page.screenshot({ path: path.join(build, 'screenshots/failed-extension-test.png') });
    return code;
  } catch (error) {
    console.log(error.message);
    return 1;
  } finally {
    await browser.close();
    await host.stop();
    fs.rmSync(state, { recursive: true, force: true });
  }
}

async function run(host, { page }, folder) {
  const ended = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the tests took more than ${limit / 1000} s`)), limit);
    page.exposeFunction('codeAutomationLog', (_type, args) => log(format(...args)));
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

// Mocha's own lines are the output; all else that VS Code says goes to a file.
function log(text) {
  const [, line] = /^\[mocha\] ?(.*)$/s.exec(text) ?? [];
  if (line === undefined) fs.appendFileSync(logFile, `${text}\n`);
  else console.log(line);
}
