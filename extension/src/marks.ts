// Marks files that an apply changed, in the Explorer and on tabs, until the person looks at them.
import {
  Disposable,
  EventEmitter,
  FileDecoration,
  type FileDecorationProvider,
  type Memento,
  TextDocumentChangeReason,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Server } from './client';
import { MethodUnseen, type Unseen, type UnseenFile } from './protocol.gen';

const key = 'aptix.seen';
const setting = 'markChangedFiles';
const mark = new FileDecoration('●', 'Changed by Aptix; not opened since', new ThemeColor('charts.blue'));
mark.propagate = true;

// Seen records what the person has seen: all applies up to an entry of the history, and the files of some later
// applies.
interface Seen {
  since: string;
  files: Record<string, string>; // ids of applies, by the URIs of files that they changed
}

export class Marks implements FileDecorationProvider, Disposable {
  private readonly changed = new EventEmitter<Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private marked = new Map<string, string>(); // ids of applies, by URI
  private turn: Promise<unknown> = Promise.resolve();
  private readonly subscriptions = Disposable.from(
    window.registerFileDecorationProvider(this),
    window.onDidChangeVisibleTextEditors(() => this.look()),
    // Update the marks after an undo or redo, because it may have reverted or repeated an apply.
    workspace.onDidChangeTextDocument(({ reason, document }) => {
      const undone = reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo;
      if (undone && document.uri.scheme === 'file') this.refresh();
    }),
    workspace.onDidDeleteFiles(() => this.refresh()), // an undo deletes files, too
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`aptix.${setting}`) && this.refresh()),
  );

  constructor(
    private readonly server: Pick<Server, 'request'>,
    private readonly state: Memento,
  ) {}

  dispose(): void {
    this.subscriptions.dispose();
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    return this.marked.has(uri.toString()) ? mark : undefined;
  }

  // refresh updates the marks from the server. If the server fails, the marks stay.
  refresh(): void {
    this.turn = this.turn.then(() => this.ask()).catch(() => {});
  }

  private async ask(): Promise<void> {
    const seen = this.state.get<Seen>(key);
    const { last, files } = await this.server.request<Unseen>(MethodUnseen, { since: seen?.since ?? '' });
    const wanted = workspace.getConfiguration('aptix').get(setting) === true;
    // Everything that was applied before the extension first ran in this workspace, or while the setting is off, counts
    // as seen.
    const unseen = seen && wanted ? files.map(normalized).filter(({ uri, id }) => seen.files[uri] !== id) : [];
    const before = [...this.marked.keys()];
    this.marked = new Map(unseen.map(({ uri, id }) => [uri, id]));
    if (unseen.length === 0) await this.state.update(key, { since: last, files: {} } satisfies Seen);
    this.tell([...before, ...this.marked.keys()]);
    this.look();
  }

  // tell names the files, because VS Code marks a folder that was never expanded only for files that are named.
  private tell(uris: string[]): void {
    this.changed.fire(uris.map((uri) => Uri.parse(uri)));
  }

  // look removes the marks of the files that an editor shows.
  private look(): void {
    const looked = window.visibleTextEditors.map(({ document }) => document.uri.toString());
    const found = looked.filter((uri) => this.marked.has(uri));
    if (found.length === 0) return;
    const seen = this.state.get<Seen>(key) ?? { since: '', files: {} };
    for (const uri of found) seen.files[uri] = this.marked.get(uri) ?? '';
    for (const uri of found) this.marked.delete(uri);
    void this.state.update(key, seen);
    this.tell(found);
  }
}

// normalized returns the file with its URI in VS Code's spelling.
function normalized({ uri, id }: UnseenFile): UnseenFile {
  return { uri: Uri.parse(uri).toString(), id };
}
