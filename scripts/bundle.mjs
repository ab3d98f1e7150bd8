// Bundles the extension and its tests into extension/out, with the sample of the walkthrough.
import fs from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { extension, sample, workspace } from './paths.mjs';

const out = path.join(extension, 'out');
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'mocha'],
  logLevel: 'warning',
};

fs.rmSync(out, { recursive: true, force: true });
await esbuild.build({
  ...common,
  minify: true,
  entryPoints: [path.join(extension, 'src/extension.ts')],
  outfile: path.join(out, 'extension.js'),
});
await esbuild.build({
  ...common,
  entryPoints: [path.join(extension, 'test/index.ts'), path.join(extension, 'test/*.test.ts')],
  outdir: path.join(out, 'test'),
});
fs.cpSync(workspace, sample, { recursive: true });
fs.copyFileSync(path.join(extension, 'walkthrough/broken.md'), path.join(sample, 'broken.md'));
