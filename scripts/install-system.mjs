// Installs the programs that this machine lacks for the tests with real editors and databases.
import fs from 'node:fs';
import path from 'node:path';
import { asRoot } from './as-root.mjs';
import { findChromium } from './browser.mjs';
import { findProgram } from './find-program.mjs';

// The first package of each that apt-get has is installed.
const needed = [
  { packages: ['chromium-headless-shell', 'chromium'], found: findChromium, or: 'or name one in CHROMIUM' },
  { packages: ['neovim'], found: () => findProgram('nvim'), or: 'so that nvim is on the PATH' },
  { packages: ['postgresql'], found: findPostgres, or: 'so that initdb is on the PATH' },
];

const missing = () => needed.filter(({ found }) => !found());
if (missing().length > 0) install(missing());
for (const { packages, or } of missing()) {
  console.error(`The tests need ${packages[0]}, and apt-get could not install it here. Install it, ${or}.`);
  process.exitCode = 1;
}

// findPostgres returns the path of PostgreSQL's initdb, which Debian keeps off the PATH.
function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian) : [];
  const files = versions.map((version) => path.join(debian, version, 'bin/initdb'));
  return findProgram('initdb') ?? files.find((file) => fs.existsSync(file));
}

function install(programs) {
  tried(() => apt('update', '-q'));
  for (const { packages, found } of programs) {
    for (const name of packages) {
      if (found()) continue;
      console.log(`Installing ${name} with apt-get, for the tests.`);
      tried(() => {
        if (name === 'postgresql') withoutServer();
        apt('install', '-y', '-q', '--no-install-recommends', name);
      });
    }
  }
}

// tried ignores an error, because what is still missing is reported at the end.
function tried(step) {
  try {
    step();
  } catch {}
}

// withoutServer keeps Debian's package from starting a database of its own, because the tests start and end theirs. It
// does not change an existing setting.
function withoutServer() {
  const settings = '/etc/postgresql-common/createcluster.conf';
  const write = 'test -e "$1" || { mkdir -p "$(dirname "$1")" && echo "create_main_cluster = false" > "$1"; }';
  asRoot('sh', '-c', write, 'sh', settings);
}

function apt(...args) {
  asRoot('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args);
}
