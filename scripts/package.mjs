// Packages the extension with its program: package.mjs [--program FILE] [TARGET...] writes dist/aptix-TARGET.vsix. Without a
// target, all of them; without a FILE, the program is built. With SOURCE_DATE_EPOCH the same input gives the same bytes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, dist, extension, root } from './paths.mjs';

// The program is static, so that alpine's is linux's.
const targets = {
  'linux-x64': ['linux', 'amd64'],
  'linux-arm64': ['linux', 'arm64'],
  'alpine-x64': ['linux', 'amd64'],
  'alpine-arm64': ['linux', 'arm64'],
  'darwin-x64': ['darwin', 'amd64'],
  'darwin-arm64': ['darwin', 'arm64'],
  'win32-x64': ['windows', 'amd64'],
  'win32-arm64': ['windows', 'arm64'],
};

const { version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
const { values, positionals } = parseArgs({ options: { program: { type: 'string' } }, allowPositionals: true });
const wanted = positionals.length > 0 ? positionals : Object.keys(targets);
fs.mkdirSync(dist, { recursive: true });
for (const target of wanted) {
  if (!targets[target]) throw new Error(`no target ${target}; there are ${Object.keys(targets).join(', ')}`);
  const stage = path.join(build, 'vsix', target);
  fill(stage);
  const program = path.join(stage, 'bin', target.startsWith('win32') ? 'aptix.exe' : 'aptix');
  if (values.program) copy(values.program, program);
  else compile(program, ...targets[target]);
  pack(stage, target);
}

// Exactly what ships.
function fill(stage) {
  fs.rmSync(stage, { recursive: true, force: true });
  fs.mkdirSync(stage, { recursive: true });
  const shipped = [
    'package.json',
    'README.md',
    'icon.png',
    'out/extension.js',
    'out/sample',
    'chat',
    'schemas',
    'syntaxes',
    'walkthrough',
    'language-configuration.json',
  ];
  const filter = (name) => path.extname(name) !== '.go';
  for (const name of shipped)
    fs.cpSync(path.join(extension, name), path.join(stage, name), { recursive: true, filter });
  for (const name of ['CHANGELOG.md', 'LICENSE']) fs.cpSync(path.join(root, name), path.join(stage, name));
}

function copy(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to);
}

function compile(program, os, arch) {
  const env = { ...process.env, CGO_ENABLED: '0', GOOS: os, GOARCH: arch };
  execFileSync(
    'go',
    ['build', '-trimpath', `-ldflags=-s -w -X main.version=${version}`, '-o', program, './server/cmd/aptix'],
    {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}

function pack(stage, target) {
  const vsix = path.join(dist, `aptix-${target}.vsix`);
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--target', target, '--out', vsix], {
    cwd: stage,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
