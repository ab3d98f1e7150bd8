import assert from 'node:assert/strict';
import { commands, env, MarkdownString, window, workspace } from 'vscode';
import { HistoryTree } from '../src/history';
import { EntryItem, FileItem, MoreItem } from '../src/history-items';
import { ago } from '../src/history-words';
import type { ApplyResult, File, HistoryEntry } from '../src/protocol.gen';
import { Dialogs } from './dialogs';
import {
  after,
  bundleBlock,
  inBuffers,
  onDisk,
  original,
  patchBlock,
  reset,
  show,
  text,
  until,
  uri,
  writeOnDisk,
} from './sample';

describe('the rows of the history', () => {
  it('say what an apply did', () => {
    const item = new EntryItem(entry('1', { label: 'reply.md', time: minutesAgo(5) }));
    assert.equal(item.label, 'reply.md');
    assert.equal(item.description, 'applied · 5 min. ago · 2 files +4 −1');
    assert.equal(item.accessibilityInformation?.label, 'reply.md, 2 files, 4 added, 1 removed, 5 minutes ago, applied');
    assert.equal(item.contextValue, 'apply');
  });

  it('distinguish an apply, a revert, and an apply that follows a revert', () => {
    const kinds = [
      entry('1', { reverted: true }),
      entry('2', { reverts: '1', reverted: true }),
      entry('3', { reverts: '2', again: true }),
      entry('4', { reverts: '3' }),
      entry('5', { reverts: '3', part: true }),
    ].map((e) => new EntryItem(e));
    assert.deepEqual(
      kinds.map(({ label, contextValue }) => [label, contextValue]),
      [
        ['a', 'reverted'],
        ['Revert of a', 'reverted'],
        ['a, applied again', 'apply'],
        ['Revert of a', 'revert'],
        ['Revert of a part of a', 'revert'],
      ],
    );
    assert.match(String(kinds[0]?.description), /^reverted · /);
  });

  it('say how the files have changed since', () => {
    const states = ['applied', 'undone', 'changed since', 'partly reverted', 'unknown'] as const;
    const items = states.map((state) => new EntryItem(entry('1', { state })));
    assert.deepEqual(
      items.map(({ description }) => String(description).split(' · ')[0]),
      ['applied', 'undone', 'changed since', 'partly reverted', 'now'],
    );
    assert.equal(new Set(items.map(({ tooltip }) => (tooltip as MarkdownString).value)).size, states.length);
  });

  it('never treat a label as Markdown', () => {
    const { tooltip } = new EntryItem(entry('1', { label: '[x](command:evil) **b**' }));
    assert.ok(tooltip instanceof MarkdownString);
    assert.ok(!tooltip.value.includes('](command:'), tooltip.value);
    assert.ok(!tooltip.isTrusted);
  });

  it('name the files', () => {
    const [changed, made] = [0, 1].map((index) => new FileItem(entry('1'), index));
    assert.deepEqual([changed?.label, changed?.description], ['cart.py', 'shop  +3 −1']);
    assert.deepEqual([made?.label, made?.description, made?.contextValue], ['new 100%.md', '+1 −0', 'file.create']);
    assert.equal(made?.uri.fsPath, '/root/new 100%.md');
  });

  it('show a path that begins with a slash', () => {
    const files: File[] = [{ path: '/a.md', operation: 'modify', to: '', state: 'done', added: 1, removed: 0 }];
    assert.equal(new FileItem(entry('1', { files }), 0).label, 'a.md');
  });

  it('say how long ago', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const times = ['12:00:20', '11:59:20', '11:58:30', '09:30:00'].map((time) => `2026-03-01T${time}Z`);
    assert.deepEqual(
      [...times, '2026-02-27T12:00:00Z'].map((time) => ago(time, 'long', now)),
      ['now', 'now', '1 minute ago', '2 hours ago', '2 days ago'],
    );
  });
});

describe('the tree of the history', () => {
  it('is loaded a page at a time, with the same ids', async () => {
    const all = Array.from({ length: 250 }, (_, n) => entry(String(n)));
    const tree = new HistoryTree({ request: async (_, params) => answer(all, params) }, () => {});
    const first = await tree.getChildren();
    assert.equal(first.length, 101);
    assert.ok(first[100] instanceof MoreItem);
    tree.loadMore();
    const second = await tree.getChildren();
    assert.deepEqual(
      second.slice(0, 100).map(({ id }) => id),
      first.slice(0, 100).map(({ id }) => id),
    );
    tree.loadMore();
    const last = await tree.getChildren();
    assert.equal(last.length, 250);
    assert.ok(last.every((item) => item instanceof EntryItem));
  });

  it('says why it cannot be shown, and shows again', async () => {
    const said: string[] = [];
    let broken = true;
    const request = async <R>(_: string, params: unknown): Promise<R> => {
      if (broken) throw new Error('the server is gone');
      return answer<R>([entry('1')], params);
    };
    const tree = new HistoryTree({ request }, (message) => said.push(message));
    assert.deepEqual(await tree.getChildren(), []);
    broken = false;
    assert.equal((await tree.getChildren()).length, 1);
    assert.deepEqual(said, ['The history cannot be shown: the server is gone', '']);
  });
});

describe('the commands of the history', () => {
  let dialogs: Dialogs;

  beforeEach(async () => {
    await reset();
    dialogs = new Dialogs();
  });
  afterEach(() => dialogs.restore());

  it('revert once the person agrees, and save what was saved', async () => {
    const item = await applied(bundleBlock);
    dialogs.answerWith(undefined, 'Revert');
    await commands.executeCommand('aptix.history.revert', item);
    assert.deepEqual(onDisk(), after(bundleBlock));
    await commands.executeCommand('aptix.history.revert', item);
    assert.deepEqual(inBuffers(), original());
    assert.deepEqual(onDisk(), original());
    assert.match(String(dialogs.asked[0]), /^Revert “reply\.md”\?\n.*\n• shop\/tax\.py/s);
  });

  it('keep later edits if the person wants that', async () => {
    const item = await applied(patchBlock);
    const readme = await show('README.md');
    const own = 'My own words.\n';
    writeOnDisk('README.md', own + readme.getText());
    await until(() => readme.getText().startsWith(own));
    dialogs.answerWith('Revert', undefined, 'Revert', 'Revert and Keep Later Edits');
    await commands.executeCommand('aptix.history.revert', item);
    assert.match(String(dialogs.asked[1]), /was not reverted.*• README\.md: it has been edited since/s);
    assert.equal(onDisk().get('README.md'), own + text(after(patchBlock), 'README.md'));
    await commands.executeCommand('aptix.history.revert', item);
    assert.equal(onDisk().get('README.md'), own + text(original(), 'README.md'));
  });

  it('show what a revert would do, and make it from there', async () => {
    const item = await applied(bundleBlock);
    await commands.executeCommand('aptix.history.previewRevert', item);
    await until(() => activeTab()?.startsWith('Aptix: revert reply.md'));
    assert.deepEqual(onDisk(), after(bundleBlock));
    await commands.executeCommand('aptix.history.revertPreviewed');
    assert.deepEqual(onDisk(), original());
    await until(() => !activeTab()?.startsWith('Aptix: revert reply.md'));
  });

  it('show one file of an apply', async () => {
    const { entry } = await applied(bundleBlock);
    const made = entry.files.findIndex(({ path }) => path === 'shop/tax.py');
    await commands.executeCommand('aptix.history.showFile', new FileItem(entry, made));
    await until(() => activeTab() === 'shop/tax.py (reply.md)');
    await until(() => {
      const sides = workspace.textDocuments
        .filter(({ uri }) => uri.path === '/shop/tax.py')
        .map((doc) => doc.getText());
      return sides.includes('') && sides.includes(text(after(bundleBlock), 'shop/tax.py'));
    });
  });

  it('copy the id', async () => {
    await commands.executeCommand('aptix.history.copyId', new EntryItem(entry('0195523f-7c1a')));
    assert.equal(await env.clipboard.readText(), '0195523f-7c1a');
  });

  it('do nothing without a row, because the view may have just been filled again', async () => {
    const { showInformationMessage } = window;
    const said: string[] = [];
    window.showInformationMessage = (async (message: string) => {
      said.push(message);
    }) as typeof showInformationMessage;
    await commands.executeCommand('aptix.history.revert');
    window.showInformationMessage = showInformationMessage;
    assert.deepEqual(said, ['Aptix: the history has just changed, so nothing was done. Try again.']);
  });

  it('revert the last apply', async () => {
    await applied(bundleBlock);
    dialogs.answerWith('Revert');
    await commands.executeCommand('aptix.history.revertLast');
    assert.deepEqual(onDisk(), original());
  });
});

// applied applies a block of the reply, and returns its row in the history.
async function applied(block: number): Promise<EntryItem> {
  const document = await show('reply.md');
  await until(async () => (await commands.getCommands()).includes('aptix.apply'));
  const target = { uri: document.uri.toString(), block };
  const { id, files } = await commands.executeCommand<ApplyResult>('aptix.apply', target);
  assert.notEqual(id, '');
  return new EntryItem(entry(id, { label: 'reply.md', root: uri('').fsPath, files }));
}

function activeTab(): string | undefined {
  return window.tabGroups.activeTabGroup.activeTab?.label;
}

function answer<R>(entries: HistoryEntry[], params: unknown): R {
  const { limit } = params as { limit: number };
  return { entries: entries.slice(0, limit) } as R;
}

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

const files: File[] = [
  { path: 'shop/cart.py', operation: 'modify', to: '', state: 'done', added: 3, removed: 1 },
  { path: 'new 100%.md', operation: 'create', to: '', state: 'done', added: 1, removed: 0 },
];

function entry(id: string, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  const apply = { label: 'a', source: 'cli', reverted: false, state: 'applied' as const, reverts: '', files };
  return { id, time: minutesAgo(0), root: '/root', ...apply, ...changes };
}
