// The view "Replies": the open documents that have blocks, and what these would change.
import {
  commands,
  Disposable,
  EventEmitter,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  Uri,
  window,
  workspace,
} from 'vscode';
import { line } from './escape';
import { CommandApply, CommandPreview, type Status } from './protocol.gen';

export class ReplyItem extends TreeItem {
  constructor(readonly status: Status) {
    const uri = Uri.parse(status.uri);
    const name = line(workspace.asRelativePath(uri));
    super(name);
    this.id = status.uri;
    this.description = line(status.text);
    this.tooltip = `${name}: ${line(status.text)}`;
    this.iconPath = new ThemeIcon(icon(status));
    this.contextValue = status.ready > 0 ? 'ready' : 'done';
    this.accessibilityInformation = { label: spoken(name, status) };
    this.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
  }
}

function icon({ errors, ready }: Status): string {
  if (errors > 0) return 'error';
  return ready > 0 ? 'diff' : 'check';
}

function spoken(name: string, { blocks, ready, text }: Status): string {
  return `${name}, ${line(text)}, ${ready} of ${blocks} ${blocks === 1 ? 'block' : 'blocks'} ready`;
}

export class RepliesView implements TreeDataProvider<ReplyItem>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event; // before the view, which listens to it at once
  private readonly known = new Map<string, Status>(); // by URI
  private readonly view = window.createTreeView('aptix.replies', { treeDataProvider: this });
  private readonly subscriptions = Disposable.from(
    this.view,
    this.changed,
    workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    commands.registerCommand('aptix.replies.preview', ({ status }: ReplyItem) => send(CommandPreview, status)),
    commands.registerCommand('aptix.replies.apply', ({ status }: ReplyItem) => send(CommandApply, status)),
  );

  dispose(): void {
    this.subscriptions.dispose();
  }

  show(status: Status): void {
    const key = Uri.parse(status.uri).toString();
    if (status.reply && status.blocks > 0) this.known.set(key, status);
    else if (!this.known.delete(key)) return;
    this.update();
  }

  getTreeItem(item: ReplyItem): ReplyItem {
    return item;
  }

  getChildren(parent?: ReplyItem): ReplyItem[] {
    return parent ? [] : [...this.known.values()].map((status) => new ReplyItem(status));
  }

  private forget(uri: Uri): void {
    if (this.known.delete(uri.toString())) this.update();
  }

  private update(): void {
    const value = [...this.known.values()].filter(({ ready, errors }) => ready > 0 && errors === 0).length;
    this.view.badge = { value, tooltip: value === 1 ? '1 reply can be applied' : `${value} replies can be applied` };
    this.changed.fire(undefined);
  }
}

function send(command: string, { uri }: Status): Thenable<unknown> {
  return commands.executeCommand(command, { uri, block: null });
}
