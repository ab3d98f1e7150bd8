// The rows of the history view.
import {
  type Disposable,
  env,
  FileDecoration,
  type FileDecorationProvider,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
} from 'vscode';
import { line, markdown } from './escape';
import { ago, count, lines, summary } from './history-words';
import type { EntryState, File, HistoryEntry } from './protocol.gen';

const faded = new ThemeColor('descriptionForeground');

export class EntryItem extends TreeItem {
  constructor(readonly entry: HistoryEntry) {
    super(line(titleOf(entry)), TreeItemCollapsibleState.Collapsed);
    this.id = entry.id;
    this.description = line(describe(entry));
    this.tooltip = tooltip(entry);
    this.iconPath = icon(entry);
    this.contextValue = kind(entry);
    this.accessibilityInformation = { label: line(spoken(entry)) };
    this.command = { command: 'aptix.history.show', title: 'Show Changes', arguments: [this] };
    const state = stateOf(entry);
    if (state in marks) this.resourceUri = decorated(state, entry.id);
  }
}

export class FileItem extends TreeItem {
  constructor(
    readonly entry: HistoryEntry,
    readonly index: number,
  ) {
    const { path, operation, added, removed } = fileAt(entry, index);
    const cut = path.lastIndexOf('/');
    super(line(path.slice(cut + 1)));
    this.id = `${entry.id}/${index}`;
    const folder = line(path.slice(0, Math.max(cut, 0)));
    this.description = [folder, `+${added} −${removed}`].filter(Boolean).join('  ');
    this.tooltip = `${line(path)}: ${did[operation]}, +${added} −${removed}`;
    this.iconPath = ThemeIcon.File; // the icon for the kind of file that the name suggests
    this.resourceUri = decorated(operation, path);
    this.contextValue = `file.${operation}`;
    this.accessibilityInformation = { label: `${line(path)}, ${did[operation]}, ${lines(added, removed)}` };
    this.command = { command: 'aptix.history.showFile', title: 'Show Changes', arguments: [this] };
  }

  get uri(): Uri {
    return Uri.joinPath(Uri.file(this.entry.root), fileAt(this.entry, this.index).path);
  }
}

export class MoreItem extends TreeItem {
  constructor() {
    super('Load more…');
    this.id = 'more';
    this.iconPath = new ThemeIcon('ellipsis');
    this.command = { command: 'aptix.history.more', title: 'Load More' };
  }
}

export function titleOf(entry: HistoryEntry): string {
  if (entry.part) return `Revert of a part of ${entry.label}`;
  if (entry.again) return `${entry.label}, applied again`;
  return entry.reverts ? `Revert of ${entry.label}` : entry.label;
}

// isRevert reports whether an entry undoes an apply. The revert of a revert does not, because it applies the reply
// again.
export function isRevert(entry: HistoryEntry): boolean {
  return entry.reverts !== '' && !entry.again;
}

function kind(entry: HistoryEntry): 'reverted' | 'revert' | 'apply' {
  if (entry.reverted) return 'reverted';
  return isRevert(entry) ? 'revert' : 'apply';
}

// stateOf returns the state of an entry in words, such as "reverted", or "" if it is unknown.
function stateOf({ reverted, state }: HistoryEntry): string {
  if (reverted) return 'reverted';
  return state === 'unknown' ? '' : state;
}

export function fileAt(entry: HistoryEntry, index: number): File {
  const file = entry.files[index];
  if (!file) throw new Error(`the entry ${entry.id} has no file ${index}`);
  return file;
}

const did: Record<File['operation'], string> = {
  create: 'created',
  modify: 'modified',
  delete: 'deleted',
  rename: 'renamed',
};

const sources: Record<string, string> = {
  cli: 'on the command line',
  lsp: 'in an editor',
  mcp: 'by an agent',
  agent: 'for an agent',
};

function describe(entry: HistoryEntry): string {
  const parts = [stateOf(entry), folderName(entry), ago(entry.time, 'short'), summary(entry.files)];
  return parts.filter(Boolean).join(' · ');
}

// folderName returns the name of the entry's folder, or "" if only one folder is open.
function folderName({ root }: HistoryEntry): string {
  const several = (workspace.workspaceFolders?.length ?? 0) > 1;
  return (several && workspace.getWorkspaceFolder(Uri.file(root))?.name) || '';
}

const meaning: Record<EntryState, string> = {
  applied: 'The files have not changed since.',
  undone: '*This change was undone: its files have their earlier contents.*',
  'changed since': '*The files were changed later.*',
  'partly reverted': '*A part of this change was reverted.*',
  unknown: '',
};

function tooltip(entry: HistoryEntry): MarkdownString {
  const how = isRevert(entry) ? 'Reverted' : 'Applied';
  const time = new Date(entry.time).toLocaleString(env.language, { dateStyle: 'full', timeStyle: 'medium' });
  const source = sources[entry.source] ?? entry.source;
  const title = markdown(titleOf(entry)).trim();
  const parts = [
    title ? `**${title}**` : '',
    `${how} ${markdown(source)} on ${time}`,
    `${summary(entry.files)} in ${markdown(entry.root)}`,
    entry.reverted ? '*This change was reverted later.*' : meaning[entry.state],
    `ID ${markdown(entry.id)}`,
  ];
  return new MarkdownString(parts.filter(Boolean).join('\n\n'));
}

function icon(entry: HistoryEntry): ThemeIcon {
  if (entry.reverted || entry.state === 'undone') return new ThemeIcon('circle-slash', faded);
  if (entry.state === 'changed since' || entry.state === 'partly reverted') return new ThemeIcon('edit');
  return new ThemeIcon(isRevert(entry) ? 'discard' : 'check');
}

function spoken(entry: HistoryEntry): string {
  const { added, removed } = count(entry.files);
  const what = [titleOf(entry), summary(entry.files, false), lines(added, removed)];
  const parts = [...what, ago(entry.time, 'long'), stateOf(entry), folderName(entry)];
  return parts.filter(Boolean).join(', ');
}

// Rows have URIs with a scheme of their own, so that decorations for rows do not apply to real files.
const scheme = 'aptix-history';

// decorated returns a URI for a row. It has an authority, so that the path may begin with slashes, which a damaged
// history can cause.
function decorated(mark: string, path: string): Uri {
  return Uri.from({ scheme, authority: 'row', path: `/${path}`, query: mark });
}

const marks: Record<string, FileDecoration> = {
  create: new FileDecoration('A', 'Created', new ThemeColor('charts.green')),
  modify: new FileDecoration('M', 'Modified', new ThemeColor('charts.yellow')),
  delete: new FileDecoration('D', 'Deleted', new ThemeColor('charts.red')),
  reverted: new FileDecoration(undefined, 'Reverted', faded),
  undone: new FileDecoration(undefined, 'Undone', faded),
};

export class Decorations implements FileDecorationProvider, Disposable {
  private readonly registration = window.registerFileDecorationProvider(this);

  dispose(): void {
    this.registration.dispose();
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    return uri.scheme === scheme ? marks[uri.query] : undefined;
  }
}
