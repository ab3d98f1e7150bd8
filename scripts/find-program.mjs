import fs from 'node:fs';
import path from 'node:path';

// findProgram returns the path of the first program in names that is on the PATH.
export function findProgram(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const files = names.flatMap((name) =>
    folders.flatMap((folder) => endings.map((ending) => path.join(folder, name + ending))),
  );
  return files.find((file) => fs.existsSync(file));
}
