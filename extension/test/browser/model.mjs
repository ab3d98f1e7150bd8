// The language model of the tests with a chat, as an extension.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { installExtension } from '../../../scripts/host.mjs';
import { extension, root } from '../../../scripts/paths.mjs';

// installModel installs the language model of the tests.
export async function installModel(state) {
  const vsix = path.join(state, 'model.vsix');
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  const options = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', vsix];
  const cwd = path.join(extension, 'test/browser/model');
  execFileSync(process.execPath, [vsce, 'package', ...options], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  await installExtension(state, vsix);
}
