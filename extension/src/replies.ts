// The view "Replies": the open documents that have blocks and the last answer of the chat, and what they would change.
import {
  commands,
  Disposable,
  EventEmitter,
  type TreeCheckboxChangeEvent,
  type TreeDataProvider,
  type TreeItem,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Server } from './client';
import {
  type Blocks,
  ChatScheme,
  CommandApply,
  CommandPreview,
  CommandSkip,
  type ListedBlock,
  MethodBlocks,
  type Status,
} from './protocol.gen';
import { BlockItem, PartItem, ReplyItem } from './replies-items';

type Item = ReplyItem | BlockItem | PartItem;

export class RepliesView implements TreeDataProvider<Item>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event; // before the view, which listens to it at once
  private readonly known = new Map<string, Status>(); // by URI
  private readonly view = window.createTreeView<Item>('aptix.replies', {
    treeDataProvider: this,
    showCollapseAll: true,
    manageCheckboxStateManually: true, // the server knows what goes with a file
  });
  private readonly subscriptions = Disposable.from(
    this.view,
    this.changed,
    this.view.onDidChangeCheckboxState((event) => this.choose(event)),
    workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    commands.registerCommand('aptix.replies.preview', (item?: Item) => this.send(CommandPreview, item)),
    commands.registerCommand('aptix.replies.apply', (item?: Item) => this.send(CommandApply, item)),
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
      if (uri.scheme === ChatScheme && !this.known.has(key)) this.forgetAnswers();
      this.known.set(key, status);
    } else if (!this.known.delete(key)) {
      return;
    }
    this.update();
  }

  getTreeItem(item: Item): TreeItem {
    return item;
  }

  async getChildren(parent?: Item): Promise<Item[]> {
    if (!parent) return [...this.known.values()].map((status) => new ReplyItem(status));
    return this.below(parent);
  }

  private async below(parent: Item): Promise<Item[]> {
    if (parent instanceof PartItem) {
      return parent.part.parts.map((part) => new PartItem(parent.uri, parent.block, part));
    }
    if (parent instanceof BlockItem) return partsOf(parent.uri, parent.block);
    const { uri } = parent.target;
    await workspace.openTextDocument(Uri.parse(uri)); // the answer of the chat may be closed
    const { blocks } = await this.server.request<Blocks>(MethodBlocks, { uri });
    const [first] = blocks;
    if (first && blocks.length === 1) return partsOf(uri, first);
    return blocks.map((block) => new BlockItem(uri, block));
  }

  private async choose({ items }: TreeCheckboxChangeEvent<Item>): Promise<void> {
    for (const [item] of items) await skip(item);
  }

  private async toggle(): Promise<void> {
    const item = await this.focused();
    if (item && !(await skip(item))) await commands.executeCommand('list.toggleExpand');
  }

  // Without an item, a key was pressed.
  private async send(command: string, item?: Item): Promise<unknown> {
    const { target } = item ?? (await this.focused()) ?? {};
    if (!target) return undefined;
    await workspace.openTextDocument(Uri.parse(target.uri)); // the answer of the chat may be closed
    return commands.executeCommand(command, target);
  }

  // focused is the row that the keyboard is at. VS Code says only which rows are selected, so this one is selected for a moment,
  // or no longer selected.
  private async focused(): Promise<Item | undefined> {
    const before = this.view.selection;
    await commands.executeCommand('list.toggleSelection');
    const now = this.view.selection;
    await commands.executeCommand('list.toggleSelection');
    return now.find((item) => !before.includes(item)) ?? before.find((item) => !now.includes(item));
  }

  // The last answer of the chat stays when its editor is closed.
  private forget(uri: Uri): void {
    if (uri.scheme !== ChatScheme && this.known.delete(uri.toString())) this.update();
  }

  private forgetAnswers(): void {
    for (const key of this.known.keys()) if (Uri.parse(key).scheme === ChatScheme) this.known.delete(key);
  }

  private update(): void {
    const value = [...this.known.values()].filter(({ ready, errors }) => ready > 0 && errors === 0).length;
    this.view.badge = { value, tooltip: value === 1 ? '1 reply can be applied' : `${value} replies can be applied` };
    this.changed.fire(undefined);
  }
}

function partsOf(uri: string, { index, parts }: ListedBlock): PartItem[] {
  return parts.map((part) => new PartItem(uri, index, part));
}

// skip returns whether the row has a check box.
async function skip(item: Item): Promise<boolean> {
  if (!(item instanceof PartItem) || !item.toggled) return false;
  await commands.executeCommand(CommandSkip, item.toggled);
  return true;
}
