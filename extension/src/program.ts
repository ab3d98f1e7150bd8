// Finds the Go program that does the work. The extension has the program in compressed form, to make the download
// smaller, and unpacks it once, when it is first needed.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { EventEmitter, type ExtensionContext, workspace } from 'vscode';
import { errorText } from './client';

const name = process.platform === 'win32' ? 'aptix.exe' : 'aptix';
const chunkSize = 1 << 20; // bytes; with the default of 16 KB, unpacking takes at least twice as long
const denied = new Set<unknown>(['EACCES', 'EPERM', 'EROFS']);

// Folders has the folders in which the program is, or will be.
export interface Folders {
  packed: string; // has the compressed program
  own: string; // the program is unpacked into this folder if the folder can be written
  storage: string; // otherwise the program is unpacked below this folder, which has nothing else
  version: string; // the name of the folder in `storage` that gets the program
}

export class Program {
  private unpacking: Promise<string> | undefined;
  private missing = false;
  private readonly found = new EventEmitter<void>();

  // onDidFind fires when the path is found after an earlier attempt failed.
  readonly onDidFind = this.found.event;

  constructor(private readonly folders: Folders) {}

  // path waits until the program is completely unpacked, and returns its path. A setting may name another program.
  async path(): Promise<string> {
    const file = await this.find().catch((error) => {
      this.missing = true;
      throw error;
    });
    const again = this.missing;
    this.missing = false;
    if (again) this.found.fire(); // listeners may request the path immediately
    return file;
  }

  private async find(): Promise<string> {
    const configured = workspace.getConfiguration('aptix').get<string>('server.path');
    if (configured) return configured;
    for (const file of this.places()) if (await exists(file)) return file;
    this.unpacking ??= this.unpack().finally(() => {
      this.unpacking = undefined;
    });
    return this.unpacking;
  }

  private places(): [string, string] {
    const { own, storage, version } = this.folders;
    return [path.join(own, name), path.join(storage, version, 'bin', name)];
  }

  private async unpack(): Promise<string> {
    const [own, stored] = this.places();
    const { packed, storage, version } = this.folders;
    try {
      return await unpack(packed, own);
    } catch (error) {
      if (!denied.has(code(error))) throw failure(own, error);
    }
    await unpack(packed, stored).catch((error) => {
      throw failure(stored, error);
    });
    await removeAll(storage, (other) => other !== version);
    return stored;
  }
}

// ownProgram returns the program of the extension. If a package manager installed the extension, the extension's own
// folder cannot be written. The name of the folder in the storage contains the version, so that package shellcommand
// recognizes a link to the program and renews the link after an update.
export function ownProgram(context: ExtensionContext): Program {
  const { id, packageJSON } = context.extension;
  const own = context.asAbsolutePath('bin');
  const storage = path.join(context.globalStorageUri.fsPath, 'program');
  return new Program({ packed: own, own, storage, version: `${id}-${packageJSON.version}` });
}

// unpack unpacks the program so that the whole file appears in one step. If several windows do this at the same time,
// each accepts the file of another window, because Windows cannot replace a program that is running.
async function unpack(packed: string, file: string): Promise<string> {
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await decompress(packed, fresh);
    await rename(fresh, file);
  } catch (error) {
    await remove(fresh);
    if (!(await exists(file))) throw error;
  }
  // These files were left by windows that closed while they were unpacking the program. A window that is still
  // unpacking loses its file, too, but then finds the program.
  await removeAll(path.dirname(file), (other) => other.startsWith(`${name}.`) && other.endsWith('.tmp'));
  return file;
}

// decompress unpacks the program and waits until it is on the drive. It compares the checksum in the package, because a
// damaged stream may be decompressed without an error.
async function decompress(packed: string, to: string): Promise<void> {
  const [wanted] = (await readFile(path.join(packed, `${name}.sha256`), 'utf8')).split(' ');
  const sum = createHash('sha256');
  const file = await open(to, 'wx', 0o755);
  try {
    const compressed = createReadStream(path.join(packed, `${name}.br`));
    await pipeline(compressed, createBrotliDecompress({ chunkSize }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        sum.update(chunk);
        await file.writeFile(chunk);
      }
    });
    await file.sync();
  } finally {
    await file.close();
  }
  if (sum.digest('hex') !== wanted) throw new Error('wrong checksum');
}

async function removeAll(folder: string, which: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.filter(which).map((other) => remove(path.join(folder, other))));
}

// remove deletes a file. On Windows, a file that another process has open stays until the next unpacking.
async function remove(file: string): Promise<void> {
  await rm(file, { force: true, recursive: true }).catch(() => {});
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

// failure explains why the program was not unpacked. If the error does not come from a system call, the compressed
// program must be damaged.
function failure(file: string, error: unknown): Error {
  const reason =
    error instanceof Error && 'syscall' in error
      ? error.message
      : `the extension is damaged (${errorText(error)}). Install it again`;
  return new Error(`its program could not be unpacked to ${file}: ${reason}`, { cause: error });
}

function code(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
