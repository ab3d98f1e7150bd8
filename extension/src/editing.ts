// The right sides of a preview that the person edits before the apply. Their texts are files in memory.
import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';
import { openDocument } from './apply-edit';
import type { EditedFile } from './protocol.gen';

const scheme = 'aptix-edit';

interface Kept {
  was: string;
  data: Uint8Array;
  time: number; // milliseconds
}

export class Editing implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly files = new Map<string, Kept>(); // by URI
  private readonly registration = workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true });
  private round = 0; // distinguishes the texts of two previews

  dispose(): void {
    this.registration.dispose();
  }

  // begin drops all texts of the last preview.
  begin(): void {
    this.files.clear();
    this.round++;
  }

  // add returns the URI of a text to edit. `path` is the file's path in the workspace folder, after a slash.
  add(path: string, text: string): Uri {
    const uri = Uri.from({ scheme, path, query: String(this.round) });
    this.files.set(uri.toString(), { was: text, data: Buffer.from(text), time: Date.now() });
    return uri;
  }

  // edited saves and returns the texts that the person wrote. Once a text is saved, VS Code can close the preview
  // without asking whether to save it.
  async edited(): Promise<EditedFile[]> {
    const found: EditedFile[] = [];
    for (const [key, { was }] of this.files) {
      const uri = Uri.parse(key);
      const document = openDocument(uri);
      if (document?.isDirty) await document.save();
      const text = document?.getText() ?? Buffer.from(this.readFile(uri)).toString();
      if (text !== was) found.push({ path: uri.path.slice(1), was, text });
    }
    return found;
  }

  watch(): Disposable {
    return new Disposable(() => {});
  }

  stat(uri: Uri): FileStat {
    const { data, time } = this.find(uri);
    return { type: FileType.File, ctime: time, mtime: time, size: data.length };
  }

  readFile(uri: Uri): Uint8Array {
    return this.find(uri).data;
  }

  writeFile(uri: Uri, data: Uint8Array): void {
    Object.assign(this.find(uri), { data, time: Date.now() });
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  // createDirectory, delete and rename fail, because the file system has only the texts of a preview.
  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  private find(uri: Uri): Kept {
    const kept = this.files.get(uri.toString());
    if (!kept) throw FileSystemError.FileNotFound(uri);
    return kept;
  }
}
