// Reads the chat that is shown. VS Code has no API for that, but has a command that exports the session to a file,
// which may be a file in memory. The chat is read only for a command of the person, or while it is watched.
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

// The first minor version of VS Code with an export command that accepts a file. Earlier versions always ask the person
// for a file.
const exportsSince = 107;

export class ChatSession implements Disposable {
  private readonly memory = new Memory();
  private readonly registered = workspace.registerFileSystemProvider(scheme, this.memory, { isCaseSensitive: true });
  private last = 0;

  dispose(): void {
    this.registered.dispose();
  }

  // export returns, as JSON, the session that last had the focus. It returns undefined if there is none, or if VS Code
  // cannot export it.
  async export(): Promise<string | undefined> {
    if (Number(version.split('.')[1]) < exportsSince) return undefined;
    const uri = Uri.from({ scheme, path: `/${++this.last}.json` });
    await tryCommand(exportCommand, uri);
    return this.memory.take(uri);
  }

  // copy returns the text of the whole chat, or undefined if there is none. It uses the clipboard, and restores its
  // text.
  async copy(): Promise<string | undefined> {
    const before = await env.clipboard.readText();
    await env.clipboard.writeText('');
    await tryCommand(copyCommand);
    const copied = await env.clipboard.readText();
    await env.clipboard.writeText(before);
    return copied || undefined;
  }
}

// tryCommand runs a command. It has no effect if this version of VS Code lacks the command or has changed it.
async function tryCommand(command: string, ...args: unknown[]): Promise<void> {
  try {
    await commands.executeCommand(command, ...args);
  } catch {
    // The caller notices that the result is missing.
  }
}

// A Memory is a file system in memory that keeps each written file until it is read with `take`.
class Memory implements FileSystemProvider {
  private readonly files = new Map<string, Uint8Array>();
  readonly onDidChangeFile = new EventEmitter<FileChangeEvent[]>().event; // never fires, because nobody else uses the files

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
