// The paths of the repository. Scripts put what they make or download below build/, and packages below dist/.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const build = path.join(root, 'build');
export const extension = path.join(root, 'extension');
export const workspace = path.join(root, 'testdata/workspace');
export const sample = path.join(extension, 'out/sample'); // the workspace and a broken reply, as the package has them

// code-server, and the Node that it needs.
export const hostDir = path.join(build, 'host');
export const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
export const hostNode = path.join(hostDir, 'node_modules', nodePackage, 'bin/node');

// The packages, and the one for this machine.
export const dist = path.join(root, 'dist');
export const localTarget = `${process.platform}-${process.arch}`;
export const localPackage = path.join(dist, `aptix-${localTarget}.vsix`);
