// Finds Wine 10 or later, or installs Debian's Wine in the user's cache, which needs root and takes two minutes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { asRoot } from './as-root.mjs';
import { findProgram } from './find-program.mjs';

const oldest = 10; // Wine 8 lacks bcryptprimitives.dll, without which no Go program starts, and how Go deletes files
const suite = 'trixie'; // the first Debian that has it
const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
const folder = path.join(cache, 'aptix-tests/wine');
const program = path.join(folder, 'usr/lib/wine/wine64');

// wineFolder returns the folder that scripts/wine calls WINE_ROOT, or '' for the Wine of this system.
export function wineFolder() {
  if (systemVersion() >= oldest) return '';
  if (!fs.existsSync(program)) install();
  return folder;
}

function systemVersion() {
  if (!findProgram('wine')) return 0;
  try {
    return Number.parseInt(execFileSync('wine', ['--version'], { encoding: 'utf8' }).replace(/^wine-/, ''), 10);
  } catch {
    return 0;
  }
}

function install() {
  const why = 'make test-windows needs Wine 10 or later, to run Windows programs.';
  if (process.platform !== 'linux' || process.arch !== 'x64' || !findProgram('apt-get')) {
    throw new Error(`${why} Install it, so that wine is on the PATH.`);
  }
  console.log(`Installing Wine of Debian ${suite} into ${folder}, 1.1 GB; this takes two minutes.`);
  try {
    if (!findProgram('debootstrap')) {
      asRoot('apt-get', 'update', '-q');
      asRoot('apt-get', 'install', '-y', '-q', '--no-install-recommends', 'debootstrap', 'debian-archive-keyring');
    }
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    asRoot(
      'unshare',
      '--mount',
      'debootstrap',
      '--variant=minbase',
      '--include=ca-certificates',
      suite,
      folder,
      mirror(),
    );
    copySettings();
    inFolder('apt-get update -q');
    inFolder('DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends wine64');
  } catch (error) {
    throw new Error(`${why} It could not be installed here from Debian: ${error.message}`);
  }
}

// mirror returns the address from which this system, if it is Debian, gets its packages.
function mirror() {
  const sites = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)'], { encoding: 'utf8' }).split('\n');
  return sites.find((site) => site.endsWith('/debian')) ?? 'http://deb.debian.org/debian';
}

// copySettings lets the Debian in the folder reach its packages as this system does, for example by a proxy.
function copySettings() {
  const settings = execFileSync('apt-config', ['dump', 'Acquire'], { encoding: 'utf8' });
  fs.writeFileSync(path.join(folder, 'etc/apt/apt.conf.d/99acquire'), settings);
  fs.copyFileSync('/etc/resolv.conf', path.join(folder, 'etc/resolv.conf'));
  fs.copyFileSync('/etc/hosts', path.join(folder, 'etc/hosts'));
}

function inFolder(command) {
  const mounted = 'mount --rbind /proc "$1/proc" && exec chroot "$1" sh -c "$2"';
  asRoot('unshare', '--mount', 'sh', '-c', mounted, 'sh', folder, command);
}
