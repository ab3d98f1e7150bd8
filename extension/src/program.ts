// The program that does the work. The package has it compressed, so that there is less to download. It is unpacked once, when
// it is first needed.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { EventEmitter, type ExtensionContext, workspace } from 'vscode';
import { errorText } from './client';

const name = process.platform === 'win32' ? 'aptix.exe' : 'aptix';
const chunkSize = 1 << 20; // bytes; with the usual 16 KB it takes at least twice as long
const denied = new Set<unknown>(['EACCES', 'EPERM', 'EROFS']);

// Folders are where the program is, or will be.
export interface Folders {
  packed: string; // the compressed program
  own: string; // the program, unless this folder cannot be written
  storage: string; // then it is here, in a folder of its version, and nothing else is
  version: string; // the name of that folder
}

export class Program {
  private unpacking: Promise<string> | undefined;
  private missing = false;
  private readonly found = new EventEmitter<void>();

  // onDidFind is for those who asked for the path and got an error: now there is one.
  readonly onDidFind = this.found.event;

  constructor(private readonly folders: Folders) {}

  // path is where the program is, whole and ready to run, unless a setting names another one.
  async path(): Promise<string> {
    const file = await this.find().catch((error) => {
      this.missing = true;
      throw error;
    });
    const again = this.missing;
    this.missing = false;
    if (again) this.found.fire(); // who listens may ask for the path at once
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

// ownProgram is that of the extension. Its folder cannot be written where a package manager installed it. The version is
// named so that package shellcommand knows a link to the program, and renews it after an update.
export function ownProgram(context: ExtensionContext): Program {
  const { id, packageJSON } = context.extension;
  const own = context.asAbsolutePath('bin');
  const storage = path.join(context.globalStorageUri.fsPath, 'program');
  return new Program({ packed: own, own, storage, version: `${id}-${packageJSON.version}` });
}

// unpack has the file appear at once, as a whole. Of several windows that do it at the same time, each is content with the
// file of another: a program that runs cannot be replaced on Windows.
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
  // A window that ended while it unpacked has left its file. One that still unpacks loses its own, and finds this one.
  await removeAll(path.dirname(file), (other) => other.startsWith(`${name}.`) && other.endsWith('.tmp'));
  return file;
}

// decompress returns when the program is on the drive. A damaged stream is not always an invalid one: the checksum of the
// program comes with it.
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

// remove leaves what another process has open, on Windows. The next unpacking removes it.
async function remove(file: string): Promise<void> {
  await rm(file, { force: true, recursive: true }).catch(() => {});
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

// failure says what the system refused. Without a system call in the error, the compressed program is not what it should be.
function failure(file: string, error: unknown): Error {
  const reason =
    error instanceof Error && 'syscall' in error
      ? error.message
      : `the extension is damaged (${errorText(error)}). Install it again`;
  return new Error(`its program cannot be unpacked to ${file}: ${reason}`, { cause: error });
}

function code(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
