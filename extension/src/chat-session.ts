// Reads the chat that is shown. VS Code has no API for that: its own command exports the session to any file, so here to
// one in memory. Only a command of the user reads, or the watch.
import {
  commands,
  Disposable,
  EventEmitter,
  env,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  version,
  workspace,
} from 'vscode';

const scheme = 'aptix-chat-export';
const exportCommand = 'workbench.action.chat.export';
const copyCommand = 'workbench.action.chat.copyAll';

// Before this minor version the export asks for a file, whatever it is given.
const exportsSince = 107;

export class ChatSession implements Disposable {
  private readonly memory = new Memory();
  private readonly registered = workspace.registerFileSystemProvider(scheme, this.memory, { isCaseSensitive: true });
  private last = 0;

  dispose(): void {
    this.registered.dispose();
  }

  // export returns the session that had the focus last, as JSON; undefined if there is none, or VS Code cannot export it.
  async export(): Promise<string | undefined> {
    if (Number(version.split('.')[1]) < exportsSince) return undefined;
    const uri = Uri.from({ scheme, path: `/${++this.last}.json` });
    await tryCommand(exportCommand, uri);
    return this.memory.take(uri);
  }

  // copy returns the text of the whole chat, and leaves the clipboard as it was; undefined if there is none.
  async copy(): Promise<string | undefined> {
    const before = await env.clipboard.readText();
    await env.clipboard.writeText('');
    await tryCommand(copyCommand);
    const copied = await env.clipboard.readText();
    await env.clipboard.writeText(before);
    return copied || undefined;
  }
}

// A command of VS Code that is not there, or not as it was, is as good as one that does nothing.
async function tryCommand(command: string, ...args: unknown[]): Promise<void> {
  try {
    await commands.executeCommand(command, ...args);
  } catch {
    // What it should have written is missing.
  }
}

// Memory keeps each written file until it is taken.
class Memory implements FileSystemProvider {
  private readonly files = new Map<string, Uint8Array>();
  readonly onDidChangeFile = new EventEmitter<FileChangeEvent[]>().event; // nothing here changes for others

  take(uri: Uri): string | undefined {
    const contents = this.files.get(uri.path);
    this.files.delete(uri.path);
    return contents && new TextDecoder().decode(contents);
  }

  writeFile(uri: Uri, contents: Uint8Array): void {
    this.files.set(uri.path, contents);
  }

  stat(uri: Uri): FileStat {
    const size = this.files.get(uri.path)?.length;
    if (uri.path !== '/' && size === undefined) throw FileSystemError.FileNotFound(uri);
    return { type: uri.path === '/' ? FileType.Directory : FileType.File, ctime: 0, mtime: 0, size: size ?? 0 };
  }

  watch(): Disposable {
    return new Disposable(() => {});
  }

  readDirectory(): [] {
    return [];
  }

  readFile(uri: Uri): Uint8Array {
    throw FileSystemError.NoPermissions(uri);
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }
}
