// Builds the Go tests for Windows and runs them with Wine: `make test-windows`, with packages as arguments, or all
// packages. At the end it lists each skipped test with the feature that Wine lacks. Wine has neither the locks and
// rights of NTFS nor virus scanners.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { wineFolder } from './install-wine.mjs';
import { root } from './paths.mjs';

const wine = path.join(root, 'scripts/wine');
// More tests run at the same time than there are processors, because a test mostly waits for Wine's server.
const parallel = String(Math.max(4, os.availableParallelism()));
const packages = process.argv.length > 2 ? process.argv.slice(2) : ['./...'];

if (process.platform === 'win32') {
  console.error('This is Windows: make test-go runs the same tests.');
  process.exit(1);
}

try {
  process.exitCode = await run(environment(wineFolder()));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

// environment returns the environment for Wine. Unless WINEPREFIX names a Windows folder, this run gets a new one, so
// that no run depends on an earlier run.
function environment(wineRoot) {
  const prefix = process.env.WINEPREFIX ?? fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-wine-'));
  fs.mkdirSync(prefix, { recursive: true, mode: 0o700 });
  const sees = [root, os.tmpdir(), prefix].join(' ');
  return {
    ...process.env,
    WINEPREFIX: prefix,
    WINE_ROOT: wineRoot,
    WINE_SEES: sees,
    GOOS: 'windows',
    GOARCH: 'amd64',
    CGO_ENABLED: '0',
  };
}

async function run(env) {
  if (!fs.existsSync(path.join(env.WINEPREFIX, 'system.reg'))) {
    console.log(`Making a Windows in ${env.WINEPREFIX}.`);
    execFileSync(wine, ['wineboot', '-i'], { env, cwd: root, stdio: 'ignore' });
  }
  const windows = keepRunning(env);
  try {
    return await test(env);
  } finally {
    await windows.end();
    if (!process.env.WINEPREFIX) fs.rmSync(env.WINEPREFIX, { recursive: true, force: true, maxRetries: 10 });
  }
}

// keepRunning runs a shell of Windows until the end of the run. Otherwise the services of Windows would end between two
// packages. The next test would then start them, they would keep its output open, and `go test` would wait for them.
function keepRunning(env) {
  const shell = spawn(wine, ['cmd'], { env, cwd: root, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise((done) => shell.on('close', done));
  return {
    end() {
      shell.stdin.end();
      return ended;
    },
  };
}

// test runs `go test`, prints the packages and the tests that fail, and then the skipped tests. It returns the exit
// status.
async function test(env) {
  const go = spawn('go', ['test', '-json', '-timeout', '60m', '-parallel', parallel, '-exec', wine, ...packages], {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => go.on('close', done));
  const output = new Map();
  const skips = [];
  let passed = 0;
  for await (const line of readline.createInterface({ input: go.stdout })) {
    const event = parse(line);
    const name = `${event.Package} ${event.Test ?? ''}`.trim();
    if (event.Action === 'output' || event.Action === 'build-output') {
      output.set(name, (output.get(name) ?? '') + event.Output);
      if (event.Action === 'build-output') process.stdout.write(event.Output);
    } else if (event.Action === 'fail') {
      process.stdout.write(output.get(name) ?? '');
    } else if (event.Action === 'skip' && event.Test) {
      skips.push(`${name}: ${reason(output.get(name))}`);
    } else if (event.Action === 'pass' && event.Test) {
      passed++;
    } else if (event.Action === 'pass') {
      const all = output.get(name)?.match(/^.*all tests are skipped.*$/m);
      if (all) skips.push(all[0]);
      console.log(`ok ${event.Package} ${event.Elapsed.toFixed(1)} s`);
    }
  }
  const status = await ended;
  console.log(`\n${passed} tests passed. ${skips.length} skipped:`);
  for (const skip of skips) console.log(`  ${skip}`);
  return status ?? 1; // ended by a signal
}

// parse reads a line of `go test -json`. Other lines are the output of a build.
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { Action: 'build-output', Output: `${line}\n` };
  }
}

// reason returns the text with which a test was skipped.
function reason(output = '') {
  return output.match(/^\s+\S+\.go:\d+: (.*)$/m)?.[1] ?? 'no reason';
}
