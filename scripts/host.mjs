// Starts code-server on a free port, with a state folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hostDir, hostNode } from './paths.mjs';

// Settings of an editor that shows nothing but the sample, asks nothing and fetches nothing.
export const settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'window.confirmBeforeClose': 'never',
  'security.workspace.trust.enabled': false,
  'files.autoSave': 'off', // the web's default saves after a second, and changes what an undo finds
};

// still are settings that draw less, for tests: without a GPU, each frame takes the processor.
export const still = {
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'workbench.reduceMotion': 'on',
};

// startHost starts code-server. Everything that VS Code writes goes below state, even what it would write to the home
// folder.
export async function startHost(state, { overrides = {}, args = [] } = {}) {
  const userData = path.join(state, 'user-data');
  const extensions = path.join(state, 'extensions');
  for (const dir of [path.join(userData, 'User'), path.join(userData, 'Machine'), extensions, path.join(state, 'home')])
    fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify({ ...settings, ...overrides }, null, 2));
  // In a browser, VS Code reads settings with the scope "machine" only from this file.
  fs.writeFileSync(path.join(userData, 'Machine/settings.json'), JSON.stringify(overrides, null, 2));

  const port = await freePort();
  const logFile = path.join(state, 'server.log');
  const log = fs.openSync(logFile, 'w');
  const server = spawn(
    hostNode,
    [
      path.join(hostDir, 'node_modules/code-server'),
      ...['--config', path.join(state, 'config.yaml'), '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
      ...[
        '--disable-telemetry',
        '--disable-update-check',
        '--disable-getting-started-override',
        '--disable-proxy',
        '--ignore-last-opened',
      ],
      ...['--user-data-dir', userData, '--extensions-dir', extensions, ...args],
    ],
    { stdio: ['ignore', log, log], detached: true, env: environment(state) },
  );
  fs.closeSync(log);
  const base = `http://127.0.0.1:${port}`;
  const exited = once(server, 'exit');
  const stop = () => stopGroup(server, exited);
  const tell = () => fs.readFileSync(logFile, 'utf8');
  try {
    await healthy(server, base, tell);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    exited,
    pid: server.pid, // and the number of the group of all its processes
    log: tell,
    // url returns the address that opens a folder, or no folder. payload is VS Code's own list of [name, value] pairs.
    url(folder, payload = []) {
      const url = new URL(base);
      if (folder === undefined) url.searchParams.set('ew', 'true');
      else url.searchParams.set('folder', folder);
      if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
      return url.href;
    },
    remote: (file) => `vscode-remote://127.0.0.1:${port}${file}`,
  };
}

// installExtension installs a .vsix in the state folder of a host, as a person's `--install-extension` does.
export async function installExtension(state, vsix) {
  const install = spawn(
    hostNode,
    [
      path.join(hostDir, 'node_modules/code-server'),
      ...['--user-data-dir', path.join(state, 'user-data'), '--extensions-dir', path.join(state, 'extensions')],
      '--install-extension',
      vsix,
      '--force',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment(state) },
  );
  let said = '';
  install.stdout.on('data', (data) => (said += data));
  const [code] = await once(install, 'exit');
  if (code !== 0) throw new Error(`${vsix} could not be installed: ${said}`);
}

// environment returns the environment of a host, so that other programs find the same state folders.
export function environment(state) {
  const { NODE_OPTIONS, VSCODE_IPC_HOOK_CLI, ...env } = process.env;
  return {
    ...env,
    HOME: path.join(state, 'home'),
    XDG_CONFIG_HOME: path.join(state, 'config'),
    XDG_DATA_HOME: path.join(state, 'data'),
    XDG_STATE_HOME: path.join(state, 'state'),
    XDG_CACHE_HOME: path.join(state, 'cache'),
  };
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function healthy(server, base, tell) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`code-server did not start:\n${tell()}`);
    await delay(50);
  }
}

// stopGroup ends the whole process group, because an extension host that is left alone stays for hours.
async function stopGroup(server, exited) {
  const signal = (name) => {
    try {
      process.kill(-server.pid, name);
    } catch {
      // The group has ended.
    }
  };
  if (server.exitCode === null && server.signalCode === null) {
    signal('SIGTERM');
    await Promise.race([exited, delay(5000, undefined, { ref: false })]);
  }
  signal('SIGKILL');
}
