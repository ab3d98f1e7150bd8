// The rows of the view "Replies": replies, their blocks, and the files and hunks of the blocks, with check boxes.
import {
  type Command,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  Uri,
  workspace,
} from 'vscode';
import { line } from './escape';
import {
  ChatScheme,
  type ListedBlock,
  type ListedPart,
  type ListedUnread,
  type SkipParams,
  type Status,
  type Target,
} from './protocol.gen';

const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

const allFiles = -1;

export class ReplyItem extends TreeItem {
  readonly target: Target;

  constructor(readonly status: Status) {
    const uri = Uri.parse(status.uri);
    const name = nameOf(uri);
    super(name, Expanded);
    this.target = { uri: status.uri, block: null };
    this.id = status.uri;
    this.description = line(status.text);
    this.tooltip = `${name}: ${line(status.text)}`;
    this.iconPath = new ThemeIcon(replyIcon(status));
    this.contextValue = status.ready > 0 ? 'reply.ready' : 'reply.done';
    this.accessibilityInformation = { label: spoken(name, status) };
    this.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
  }
}

export class BlockItem extends TreeItem {
  readonly target: Target;

  constructor(
    readonly uri: string,
    readonly block: ListedBlock,
  ) {
    super(`Block ${block.index}`, Expanded);
    this.target = { uri, block: block.index };
    this.id = `${uri}#${block.index}`;
    this.description = line(block.text);
    this.tooltip = `Block ${block.index}, ${block.title}: ${line(block.text)}`;
    this.iconPath = new ThemeIcon(blockIcons[block.state]);
    this.contextValue = block.state === 'ready' ? 'ready' : 'done';
    this.accessibilityInformation = { label: `Block ${block.index}, ${block.title}, ${line(block.text)}` };
    if (block.optional) this.checkboxState = checkbox(block.skipped, `Block ${block.index}`);
    this.command = opening(uri, block.line);
  }

  get optional(): boolean {
    return this.block.optional;
  }

  get skipped(): boolean {
    return this.block.skipped;
  }

  skip(checked: boolean): SkipParams {
    return { uri: this.uri, block: this.block.index, part: allFiles, mode: checked ? 'include' : 'skip' };
  }
}

export class PartItem extends TreeItem {
  readonly target: Target;

  constructor(
    readonly uri: string,
    readonly block: number,
    readonly part: ListedPart,
    apart = '', // distinguishes the row from another row of the same name
  ) {
    const name = line(part.name);
    const state = [stateOf(part), apart].filter(Boolean).join(' · ');
    super(name, part.parts.length > 0 ? Collapsed : None);
    this.target = { uri, block };
    this.id = `${uri}#${block}/${part.part}`;
    this.description = state;
    this.tooltip = [name, state].filter(Boolean).join(': ');
    this.accessibilityInformation = { label: [name, state].filter(Boolean).join(', ') };
    if (part.problem) this.iconPath = new ThemeIcon(part.failed ? 'error' : 'warning');
    if (part.optional) this.checkboxState = checkbox(part.skipped, name);
    this.command = opening(uri, part.line);
  }

  get optional(): boolean {
    return this.part.optional;
  }

  get skipped(): boolean {
    return this.part.skipped;
  }

  skip(checked: boolean): SkipParams {
    return { uri: this.uri, block: this.block, part: this.part.part, mode: checked ? 'include' : 'skip' };
  }
}

// An UnreadItem is a part of a reply that could change a file but that no format reads. The person can only look at it.
export class UnreadItem extends TreeItem {
  readonly target: Target;

  constructor(
    readonly uri: string,
    unread: ListedUnread,
  ) {
    super(`Not read, line ${unread.line + 1}`, None);
    this.target = { uri, block: null };
    this.id = `${uri}#unread/${unread.line}/${unread.text}`;
    this.description = line(unread.text);
    this.tooltip = `Not read, line ${unread.line + 1}: ${line(unread.text)}`;
    this.iconPath = new ThemeIcon(unread.asks ? 'warning' : 'info');
    this.contextValue = 'unread';
    this.accessibilityInformation = { label: this.tooltip };
    this.command = opening(uri, unread.line);
  }
}

function checkbox(skipped: boolean, name: string): NonNullable<TreeItem['checkboxState']> {
  const state = skipped ? TreeItemCheckboxState.Unchecked : TreeItemCheckboxState.Checked;
  return { state, tooltip: skipped ? 'Include' : 'Skip', accessibilityInformation: { label: `Include ${name}` } };
}

function stateOf({ skipped, text, problem }: ListedPart): string {
  return skipped ? 'skipped' : [text, problem].filter(Boolean).map(line).join(' · ');
}

// lineOf names the place of a part.
export function lineOf(part: ListedPart): string {
  return `line ${part.line + 1} of the reply`;
}

function nameOf(uri: Uri): string {
  return line(uri.scheme === ChatScheme ? (uri.path.split('/').at(-1) ?? '') : workspace.asRelativePath(uri));
}

const blockIcons: Record<ListedBlock['state'], string> = {
  ready: 'diff',
  done: 'check',
  incomplete: 'ellipsis',
  error: 'error',
};

function replyIcon({ errors, ready, incomplete }: Status): string {
  if (errors > 0) return 'error';
  if (incomplete > 0) return 'ellipsis';
  return ready > 0 ? 'diff' : 'check';
}

function spoken(name: string, { blocks, ready, text }: Status): string {
  return `${name}, ${line(text)}, ${ready} of ${blocks} ${blocks === 1 ? 'block' : 'blocks'} ready`;
}

function opening(uri: string, at: number): Command {
  const start = { line: at, character: 0 };
  const options = { selection: { start, end: start } };
  return { command: 'vscode.open', title: 'Open', arguments: [Uri.parse(uri), options] };
}
