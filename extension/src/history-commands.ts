// The commands of the history view.
import { commands, Disposable, env, Uri, window } from 'vscode';
import { errorText, type Server } from './client';
import { line } from './escape';
import type { HistoryView } from './history';
import { type EntryItem, type FileItem, fileAt, titleOf } from './history-items';
import type { Revert } from './history-revert';
import { showChanges } from './multi-diff';
import { fail, inform } from './notify';
import { emptySide } from './preview';
import { type HistoryEntry, MethodHistoryFiles, type PreviewResult } from './protocol.gen';
import type { Review } from './review';

export function registerHistoryCommands(server: Server, view: HistoryView, revert: Revert, review: Review): Disposable {
  const ofRow: Record<string, (item: EntryItem & FileItem) => unknown> = {
    'aptix.history.show': async ({ entry }) => showChanges(await did(server, entry)),
    'aptix.history.showFile': (item) => showFile(server, item),
    'aptix.history.openFile': ({ uri }) => commands.executeCommand('vscode.open', uri),
    'aptix.history.copyId': ({ entry }) => env.clipboard.writeText(entry.id),
    'aptix.history.revert': ({ entry }) => revert.ask(entry),
    'aptix.history.reapply': ({ entry }) => revert.ask(entry),
    'aptix.history.review': ({ entry }) => review.start(entry.id),
    'aptix.history.revertAfter': ({ entry }) => revert.askAfter(entry),
    'aptix.history.previewRevert': ({ entry }) => revert.preview(entry),
  };
  const ofView: Record<string, () => unknown> = {
    'aptix.history.refresh': () => view.refresh(),
    'aptix.history.more': () => view.loadMore(),
    'aptix.history.revertLast': () => revertLast(revert),
    'aptix.history.filter': () => view.filter(),
    'aptix.history.all': () => view.all(),
    'aptix.history.revertPreviewed': () => revert.makePreviewed(false),
    'aptix.history.mergePreviewed': () => revert.makePreviewed(true),
  };
  const ofFile = (uri = window.activeTextEditor?.document.uri) => uri && view.ofFile(uri);
  return Disposable.from(
    commands.registerCommand('aptix.history.ofFile', telling(ofFile)),
    ...Object.entries(ofView).map(([id, handler]) => commands.registerCommand(id, telling(handler))),
    ...Object.entries(ofRow).map(([id, handler]) => commands.registerCommand(id, telling(onRow(handler)))),
  );
}

// onRow wraps the handler of a row. VS Code calls a command without its row if the view is filled again during the
// click.
function onRow(handler: (item: EntryItem & FileItem) => unknown): (item?: EntryItem & FileItem) => unknown {
  return (item) =>
    item ? handler(item) : void inform('the history has just changed, so nothing was done. Try again.');
}

// telling wraps a handler: if it fails because the server stopped or the entry is gone, the person is told.
function telling<Args extends unknown[]>(handler: (...args: Args) => unknown): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await handler(...args);
    } catch (error) {
      void fail(errorText(error));
    }
  };
}

function did(server: Server, { id }: HistoryEntry): Promise<PreviewResult> {
  return server.request(MethodHistoryFiles, { id, revert: false, merge: false });
}

// showFile finds the row of a file by its index, because rows have the same order as the files of the entry.
async function showFile(server: Server, { entry, index }: FileItem): Promise<void> {
  const { files } = await did(server, entry);
  const row = files[index];
  if (!row) return;
  const side = (uri: string, other: string) => (uri ? Uri.parse(uri) : emptySide(Uri.parse(other)));
  const title = line(`${fileAt(entry, index).path} (${titleOf(entry)})`);
  await commands.executeCommand('vscode.diff', side(row.left, row.right), side(row.right, row.left), title);
}

async function revertLast(revert: Revert): Promise<void> {
  const last = await revert.last();
  if (last) await revert.ask(last);
  else void inform('there is no apply to revert in this workspace.');
}
