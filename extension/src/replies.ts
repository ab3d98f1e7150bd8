// The view "Replies" shows what the open documents with blocks, and the last answer of the chat, would change.
import {
  commands,
  Disposable,
  EventEmitter,
  type TreeCheckboxChangeEvent,
  type TreeDataProvider,
  type TreeItem,
  TreeItemCheckboxState,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Server } from './client';
import {
  type Blocks,
  ChatScheme,
  CommandApply,
  CommandDismiss,
  CommandPreview,
  CommandSkip,
  type ListedBlock,
  MethodBlocks,
  type Status,
} from './protocol.gen';
import { BlockItem, lineOf, PartItem, ReplyItem, UnreadItem } from './replies-items';

type Item = ReplyItem | BlockItem | PartItem | UnreadItem;

interface Known {
  status: Status;
  rows: string | undefined; // describes the rows that were last shown
}

export class RepliesView implements TreeDataProvider<Item>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event; // defined before the view, which subscribes to it immediately
  private readonly known = new Map<string, Known>(); // by URI
  private lastAnswer = '';
  private readonly view = window.createTreeView<Item>('aptix.replies', {
    treeDataProvider: this,
    showCollapseAll: true,
    manageCheckboxStateManually: true, // the server decides which parts belong together
  });
  private readonly subscriptions = Disposable.from(
    this.view,
    this.changed,
    this.view.onDidChangeCheckboxState((event) => this.choose(event)),
    workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    commands.registerCommand('aptix.replies.preview', (item?: Item) => this.send(CommandPreview, item)),
    commands.registerCommand('aptix.replies.apply', (item?: Item) => this.send(CommandApply, item)),
    commands.registerCommand('aptix.replies.remove', (item?: Item) => this.remove(item)),
    commands.registerCommand('aptix.replies.toggle', () => this.toggle()),
  );

  constructor(private readonly server: Pick<Server, 'request'>) {}

  dispose(): void {
    this.subscriptions.dispose();
  }

  show(status: Status): void {
    const uri = Uri.parse(status.uri);
    const key = uri.toString();
    if (status.reply && status.blocks > 0) {
      if (uri.scheme === ChatScheme && !this.known.has(key)) this.answered(key);
      this.known.set(key, { status, rows: this.known.get(key)?.rows });
    } else if (!this.known.delete(key)) {
      return;
    }
    void this.refresh(key);
  }

  // refresh rebuilds the rows only if they change, because a click on a check box is lost if its row is rebuilt
  // meanwhile.
  private async refresh(key: string): Promise<void> {
    this.count();
    if (!this.view.visible || !(await this.isShown(key))) this.changed.fire(undefined);
  }

  private async isShown(key: string): Promise<boolean> {
    const reply = this.known.get(key);
    return reply !== undefined && reply.rows === rowsOf(reply.status, await this.listed(reply.status.uri));
  }

  private showedRows(uri: string, rows: string | undefined): void {
    const reply = this.known.get(Uri.parse(uri).toString());
    if (reply) reply.rows = rows;
  }

  getTreeItem(item: Item): TreeItem {
    return item;
  }

  async getChildren(parent?: Item): Promise<Item[]> {
    // The latest reply comes first, because a long list hides its end.
    if (!parent) return [...this.known.values()].reverse().map(({ status }) => new ReplyItem(status));
    return this.below(parent);
  }

  private async below(parent: Item): Promise<Item[]> {
    if (parent instanceof PartItem) {
      return parent.part.parts.map((part) => new PartItem(parent.uri, parent.block, part));
    }
    if (parent instanceof BlockItem) return partsOf(parent.uri, parent.block);
    if (parent instanceof UnreadItem) return [];
    const { uri } = parent.status;
    const listed = await this.listed(uri);
    this.showedRows(uri, rowsOf(parent.status, listed));
    const { blocks, unread } = listed;
    const [first] = blocks;
    const rows = first && blocks.length === 1 ? partsOf(uri, first) : blocks.map((block) => new BlockItem(uri, block));
    return [...rows, ...unread.map((part) => new UnreadItem(uri, part))];
  }

  // listed returns the rows of a document. It returns none if the document was closed, or while no server runs. The
  // next status of the document lists it again.
  private async listed(uri: string): Promise<Blocks> {
    try {
      await reopen(uri);
      return await this.server.request<Blocks>(MethodBlocks, { uri });
    } catch {
      return { blocks: [], unread: [] };
    }
  }

  private async choose({ items }: TreeCheckboxChangeEvent<Item>): Promise<void> {
    for (const [item, state] of items) {
      if (!(item instanceof PartItem || item instanceof BlockItem)) continue;
      this.showedRows(item.uri, undefined); // the check box already shows the new state
      await skip(item, state === TreeItemCheckboxState.Checked);
    }
  }

  private async toggle(): Promise<void> {
    const item = await this.focused();
    if ((item instanceof PartItem || item instanceof BlockItem) && item.optional) await skip(item, item.skipped);
    else await commands.executeCommand('list.toggleExpand');
  }

  // send runs a command for a row. Without an item, the command was run with a key, and is for the focused row.
  private async send(command: string, item?: Item): Promise<unknown> {
    const { target } = item ?? (await this.focused()) ?? {};
    if (!target) return undefined;
    const unseen = await reopen(target.uri);
    return commands.executeCommand(command, { ...target, unseen });
  }

  // focused returns the row with the keyboard focus. VS Code reveals only which rows are selected, so this function
  // toggles the selection of the focused row twice.
  private async focused(): Promise<Item | undefined> {
    const before = this.view.selection;
    await commands.executeCommand('list.toggleSelection');
    const now = this.view.selection;
    await commands.executeCommand('list.toggleSelection');
    return now.find((item) => !before.includes(item)) ?? before.find((item) => !now.includes(item));
  }

  // forget removes a closed document from the view, except for the last answer of the chat.
  private forget(uri: Uri): void {
    const key = uri.toString();
    if (key !== this.lastAnswer && this.known.delete(key)) void this.refresh(key);
  }

  // remove makes the server show nothing more about a reply, not even its problems. The server then sends a new status,
  // which removes the row.
  private async remove(of?: Item): Promise<void> {
    const item = of ?? (await this.focused());
    if (!(item instanceof ReplyItem)) return;
    const { uri } = item.status;
    await commands.executeCommand(CommandDismiss, { uri, block: null });
    const key = Uri.parse(uri).toString();
    if (key === this.lastAnswer) this.lastAnswer = '';
  }

  private answered(key: string): void {
    const before = this.lastAnswer;
    this.lastAnswer = key;
    if (!workspace.textDocuments.some(({ uri }) => uri.toString() === before)) this.known.delete(before);
  }

  private count(): void {
    const value = [...this.known.values()].filter(({ status: { ready, errors } }) => ready > 0 && errors === 0).length;
    const tooltip = value === 1 ? '1 reply can be applied' : `${value} replies can be applied`;
    this.view.badge = value > 0 ? { value, tooltip } : undefined;
  }
}

function rowsOf(status: Status, listed: Blocks): string {
  return JSON.stringify([status, listed]);
}

function partsOf(uri: string, { index, parts }: ListedBlock): PartItem[] {
  return parts.map((part) => {
    const again = parts.filter(({ name }) => name === part.name).length > 1;
    return new PartItem(uri, index, part, again ? lineOf(part) : '');
  });
}

// reopen opens an answer of the chat for the server, because the last answer stays in the view after its document is
// closed. It returns true if the document is an answer of the chat, which can be open without an editor.
async function reopen(uri: string): Promise<boolean> {
  const parsed = Uri.parse(uri);
  const chat = parsed.scheme === ChatScheme;
  if (chat) await workspace.openTextDocument(parsed);
  return chat;
}

function skip(item: PartItem | BlockItem, checked: boolean): Thenable<unknown> {
  return commands.executeCommand(CommandSkip, item.skip(checked));
}
