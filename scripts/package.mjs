// Packages the extension with its program: package.mjs [--program FILE] [--quality N] [TARGET...] writes
// dist/aptix-TARGET.vsix. Without a TARGET, it writes all packages. Without a FILE, it builds the program. Brotli
// compresses the program from 29.7 to 8.5 MB in a minute; with a quality of 7 instead of 11, to 9.7 MB in a few
// seconds. extension/src/program.ts unpacks it. With SOURCE_DATE_EPOCH, the same input gives the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, dist, extension, root } from './paths.mjs';

// The program is linked statically, so Alpine gets the program for Linux.
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
const { values, positionals } = parseArgs({
  options: { program: { type: 'string' }, quality: { type: 'string', default: '11' } },
  allowPositionals: true,
});
const compressed = new Map(); // by the checksum of the program
const wanted = positionals.length > 0 ? positionals : Object.keys(targets);
fs.mkdirSync(dist, { recursive: true });
for (const target of wanted) {
  if (!targets[target]) throw new Error(`no target ${target}; there are ${Object.keys(targets).join(', ')}`);
  const stage = path.join(build, 'vsix', target);
  fill(stage);
  const name = target.startsWith('win32') ? 'aptix.exe' : 'aptix';
  const program = values.program ?? path.join(build, 'vsix', 'programs', target, name);
  if (!values.program) compile(program, ...targets[target]);
  addCompressed(program, path.join(stage, 'bin', name));
  pack(stage, target);
}

// fill copies exactly the files that ship into a folder.
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
  embedPictures(path.join(stage, 'README.md'));
  for (const name of ['CHANGELOG.md', 'LICENSE']) fs.cpSync(path.join(root, name), path.join(stage, name));
}

// embedPictures writes the pictures into the extension's page, so that they are shown without a network. VS Code shows
// no picture by a relative path there.
function embedPictures(page) {
  const address = /https:\/\/raw\.githubusercontent\.com\/[^)]*\/extension\/(walkthrough\/[\w-]+\.png)/g;
  const embed = (_, name) => `data:image/png;base64,${fs.readFileSync(path.join(extension, name), 'base64')}`;
  const text = fs.readFileSync(page, 'utf8').replace(address, embed);
  if (/!\[[^\]]*\]\((?!data:)/.test(text)) throw new Error(`${page} has a picture that is not in the package`);
  fs.writeFileSync(page, text);
}

// addCompressed writes the compressed program to `to`.br, and its checksum to `to`.sha256, which sha256sum can read.
function addCompressed(program, to) {
  const bytes = fs.readFileSync(program);
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (!compressed.has(sum)) compressed.set(sum, compress(bytes));
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(`${to}.br`, compressed.get(sum));
  fs.writeFileSync(`${to}.sha256`, `${sum}  ${path.basename(to)}\n`);
}

function compress(bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotliCompressSync(bytes, {
    params: {
      [BROTLI_PARAM_QUALITY]: Number(values.quality),
      [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
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
