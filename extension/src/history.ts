// The view "History" shows what was applied to the open folders, latest first.
import {
  commands,
  Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeView,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { errorText, type Server } from './client';
import { line, message } from './escape';
import { Decorations, EntryItem, FileItem, MoreItem } from './history-items';
import { enter } from './notify';
import { type History, type HistoryParams, MethodHistory } from './protocol.gen';

const page = 100; // entries shown at first, and added by each "Load more"
const minute = 60_000;

export type HistoryItem = EntryItem | FileItem | MoreItem;

type Filter = Partial<Pick<HistoryParams, 'words' | 'changed'>>;

export class HistoryTree implements TreeDataProvider<HistoryItem> {
  private readonly changed = new EventEmitter<undefined>();
  private limit = page;
  private filter: Filter = {};
  readonly onDidChangeTreeData = this.changed.event;

  // `failed` is called with the reason why the history cannot be shown, or with "".
  constructor(
    private readonly server: Pick<Server, 'request'>,
    private readonly failed: (message: string) => void,
  ) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  loadMore(): void {
    this.limit += page;
    this.refresh();
  }

  show(filter: Filter): void {
    this.filter = filter;
    this.refresh();
  }

  getTreeItem(item: HistoryItem): HistoryItem {
    return item;
  }

  async getChildren(parent?: HistoryItem): Promise<HistoryItem[]> {
    if (!parent) return this.entries();
    return parent instanceof EntryItem ? parent.entry.files.map((_, index) => new FileItem(parent.entry, index)) : [];
  }

  private async entries(): Promise<HistoryItem[]> {
    const { limit } = this;
    try {
      const params = { uri: '', limit: limit + 1, ...this.filter }; // one more entry shows that there are more
      const { entries } = await this.server.request<History>(MethodHistory, params);
      this.failed('');
      const items = entries.slice(0, limit).map((entry) => new EntryItem(entry));
      return entries.length > limit ? [...items, new MoreItem()] : items;
    } catch (error) {
      this.failed(message(`The history cannot be shown: ${errorText(error)}`));
      return [];
    }
  }
}

export class HistoryView implements Disposable {
  private readonly tree: HistoryTree;
  private readonly view: TreeView<HistoryItem>;
  private words = '';
  private readonly subscriptions: Disposable;

  constructor(server: Server) {
    this.tree = new HistoryTree(server, (text) => {
      this.view.message = text;
    });
    this.view = window.createTreeView('aptix.history', { treeDataProvider: this.tree, showCollapseAll: true });
    const clock = setInterval(() => this.view.visible && this.refresh(), minute); // refreshes texts such as "5 minutes ago"
    this.subscriptions = Disposable.from(this.view, new Decorations(), { dispose: () => clearInterval(clock) });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  refresh(): void {
    this.tree.refresh();
  }

  loadMore(): void {
    this.tree.loadMore();
  }

  // filter asks the person for words that the label of an entry, or the paths of its files, must contain.
  async filter(): Promise<void> {
    const words = await enter('Words in a reply or in the names of its files', this.words);
    if (words === undefined) return;
    this.words = words.trim();
    this.show(this.words, { words: this.words });
  }

  // ofFile shows only the entries that changed a file, or files in a folder.
  async ofFile(uri: Uri): Promise<void> {
    this.words = '';
    this.show(workspace.asRelativePath(uri), { changed: uri.toString() });
    await commands.executeCommand('aptix.history.focus');
  }

  all(): void {
    this.words = '';
    this.show('', {});
  }

  private show(description: string, filter: Filter): void {
    this.view.description = line(description);
    void commands.executeCommand('setContext', 'aptix.historyFiltered', description !== '');
    this.tree.show(filter);
  }
}
