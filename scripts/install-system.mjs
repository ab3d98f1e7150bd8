// Installs the programs that the tests with real editors need and this machine lacks.
import { execFileSync } from 'node:child_process';
import { findChromium } from './browser.mjs';
import { findProgram } from './find-program.mjs';

const needed = [
  { package: 'chromium', found: findChromium, or: 'or name one in CHROMIUM' },
  { package: 'neovim', found: () => findProgram('nvim'), or: 'so that nvim is on the PATH' },
];

const missing = () => needed.filter(({ found }) => !found());
if (missing().length > 0) install(missing().map((program) => program.package));
for (const { package: name, or } of missing()) {
  console.error(`The tests need ${name}, and apt-get could not install it here. Install it, ${or}.`);
  process.exitCode = 1;
}

function install(packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get, for the tests.`);
  try {
    apt('update', '-q');
    apt('install', '-y', '-q', '--no-install-recommends', ...packages);
  } catch {
    // What is still missing is told by the caller.
  }
}

function apt(...args) {
  const [program, ...rest] = process.getuid?.() === 0 ? ['apt-get', ...args] : ['sudo', '-n', 'apt-get', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(program, rest, { stdio: ['ignore', 'inherit', 'inherit'], env });
}
