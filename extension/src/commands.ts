// The commands of the palette. The server handles aptix.apply and aptix.preview, the commands of the code lenses.
import { commands, Disposable, env, type LogOutputChannel, type Uri, window } from 'vscode';
import { goToBlock } from './blocks';
import type { Server } from './client';
import { inform, warn } from './notify';
import type { Offers } from './offer';
import type { Preview } from './preview';
import {
  CommandApply,
  CommandCheck,
  CommandFeedback,
  CommandPreview,
  type InstallResult,
  MethodInstallCommand,
  type Target,
} from './protocol.gen';

export function registerCommands(
  server: Server,
  preview: Preview,
  offers: Offers,
  output: LogOutputChannel,
): Disposable {
  const active = () => preview.target ?? activeReply();
  const shown = () => (offers.active ? offers : preview);
  const handlers: Record<string, (uri?: Uri) => unknown> = {
    'aptix.previewAll': () => send(CommandPreview, active()),
    'aptix.previewActive': () => send(CommandPreview, preview.target ?? atCursor()),
    'aptix.applyActive': () => (preview.target ? preview.apply() : send(CommandApply, atCursor())),
    'aptix.nextBlock': () => goToBlock(server, 'next'),
    'aptix.previousBlock': () => goToBlock(server, 'previous'),
    'aptix.menu.preview': (uri?: Uri) => ofMenu(CommandPreview, uri),
    'aptix.menu.apply': (uri?: Uri) => ofMenu(CommandApply, uri),
    'aptix.previewClipboard': async () => send(CommandPreview, await clipboard()),
    'aptix.applyClipboard': async () => send(CommandApply, await clipboard()),
    'aptix.previewSelection': () => send(CommandPreview, selection()),
    'aptix.applySelection': () => send(CommandApply, selection()),
    'aptix.checkDocument': () => send(CommandCheck, activeReply()),
    'aptix.copyFeedback': () => send(CommandFeedback, active()),
    'aptix.applyPreview': () => preview.apply(),
    'aptix.skipHunk': () => shown().skip(false),
    'aptix.skipFile': () => shown().skip(true),
    'aptix.editPreview': () => preview.edit(),
    'aptix.chooseParts': () => shown().choose(),
    'aptix.discardPreview': () => preview.close(),
    'aptix.installCommand': () => installCommand(server),
    'aptix.showOutput': () => output.show(),
    'aptix.restart': () => server.restart(),
  };
  return Disposable.from(...Object.entries(handlers).map(([id, handler]) => commands.registerCommand(id, handler)));
}

function send(command: string, target: Target | string): unknown {
  return typeof target === 'string' ? inform(target) : commands.executeCommand(command, target);
}

async function installCommand(server: Server): Promise<void> {
  const { installed, message } = await server.request<InstallResult>(MethodInstallCommand, null);
  void (installed ? inform : warn)(message);
}

// ofMenu runs a command from the menu of a document. If that is not the active document, ofMenu first shows it.
async function ofMenu(command: string, uri: Uri | undefined): Promise<unknown> {
  if (uri && uri.toString() !== activeUri()) await window.showTextDocument(uri);
  return send(command, atCursor());
}

// Each of the next functions returns a target, or the reason why there is none.

function activeReply(): Target | string {
  const uri = activeUri();
  return uri ? { uri, block: null } : 'Open a reply first, or apply it from the clipboard.';
}

// atCursor targets the block at the cursor, which the server finds. If there is none, the target is all blocks.
function atCursor(): Target | string {
  const reply = activeReply();
  const cursor = window.activeTextEditor?.selection.active;
  if (typeof reply === 'string' || !cursor) return reply;
  return { ...reply, at: { line: cursor.line, character: cursor.character } };
}

async function clipboard(): Promise<Target | string> {
  const text = await env.clipboard.readText();
  return text.trim() ? { uri: activeUri(), block: null, text, unseen: true } : 'The clipboard holds no text.';
}

function selection(): Target | string {
  const editor = window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return 'Select a reply first.';
  return { uri: activeUri(), block: null, text: editor.document.getText(editor.selection) };
}

function activeUri(): string {
  return window.activeTextEditor?.document.uri.toString() ?? '';
}
