// The view "History": what was applied to the open folders, the latest first.
import { Disposable, EventEmitter, type TreeDataProvider, type TreeView, window } from 'vscode';
import { errorText, type Server } from './client';
import { message } from './escape';
import { Decorations, EntryItem, FileItem, MoreItem } from './history-items';
import { type History, MethodHistory } from './protocol.gen';

const page = 100; // entries that are shown at first, and that each "Load more" adds
const minute = 60_000;

export type HistoryItem = EntryItem | FileItem | MoreItem;

export class HistoryTree implements TreeDataProvider<HistoryItem> {
  private readonly changed = new EventEmitter<undefined>();
  private limit = page;
  readonly onDidChangeTreeData = this.changed.event;

  // failed gets the reason why the history cannot be shown, or "".
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
      const params = { uri: '', limit: limit + 1 }; // one more tells that there are more
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
  private readonly subscriptions: Disposable;

  constructor(server: Server) {
    this.tree = new HistoryTree(server, (text) => {
      this.view.message = text;
    });
    this.view = window.createTreeView('aptix.history', { treeDataProvider: this.tree, showCollapseAll: true });
    const clock = setInterval(() => this.view.visible && this.refresh(), minute); // "5 minutes ago" grows old
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
}
