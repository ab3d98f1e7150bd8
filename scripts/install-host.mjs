// Installs a real VS Code for tests and `make run`, from npm alone: code-server under its own Node.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hostDir as dir, nodePackage as node } from './paths.mjs';
import { allowOnlyDeclaredProposals } from './strict-proposed-api.mjs';

const codeServer = 'code-server@4.139.1'; // VS Code 1.139.1
const nodeVersion = '24.21.0';

const stamp = path.join(dir, 'installed');
const contents = `${codeServer} ${node}@${nodeVersion}\n`;
if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === contents) process.exit(0);

console.log(`Installing ${codeServer} (VS Code in a browser) into ${dir}; this takes a minute or two.`);
fs.mkdirSync(dir, { recursive: true });
fs.writeFileSync(path.join(dir, 'package.json'), '{"name":"host","private":true}\n');

const nodeDir = path.join(dir, 'node_modules', node);
const server = path.join(dir, 'node_modules/code-server/lib/vscode');

// A plain install would run scripts that build a dozen native modules, which no test needs, and would stop if one
// cannot be built.
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
npm(dir, 'install', ...quiet, '--save-exact', `${node}@${nodeVersion}`, codeServer);
npm(server, 'install', ...quiet, '--omit=dev');
buildLogger();
remoteLinks();
allowOnlyDeclaredProposals(path.join(server, 'out/vs'));
fs.writeFileSync(stamp, contents);

function npm(cwd, ...args) {
  const env = {
    ...process.env,
    PATH: `${path.join(nodeDir, 'bin')}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodeDir,
  };
  execFileSync('npm', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

// buildLogger builds @vscode/spdlog, which the log files of output channels need, and the watchdog that ends an
// orphaned extension host.
function buildLogger() {
  try {
    npm(server, 'rebuild', '--loglevel=error', '--build-from-source', '@vscode/spdlog', '@vscode/native-watchdog');
  } catch {
    console.log(
      'The native logger of VS Code could not be built (it needs python3, make and a C++ compiler). Everything but the output channel works without it.',
    );
  }
}

// remoteLinks makes the links that code-server's own postinstall script makes.
function remoteLinks() {
  const os = process.platform === 'darwin' ? 'darwin' : 'linux';
  for (const [link, target] of [
    ['bin/remote-cli/code-server', `code-${os}.sh`],
    ['bin/helpers/browser.sh', `browser-${os}.sh`],
  ]) {
    fs.rmSync(path.join(server, link), { force: true });
    fs.symlinkSync(target, path.join(server, link));
  }
}
