// The sample of the walkthrough "Apply your first reply". One command opens it, and there is a command for each step.
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commands, Disposable, type ExtensionContext, Uri, ViewColumn, window, workspace } from 'vscode';
import { inform } from './notify';
import { CommandApply, CommandPreview, type Target } from './protocol.gen';

const folderName = 'aptix-sample'; // a window recognizes the sample by this name
const reply = 'reply.md';
const openSample = 'Open Sample';

export function registerSample(context: ExtensionContext): Disposable {
  const open = () => openCopy(context.asAbsolutePath('out/sample'));
  const show = (name: string, act?: (uri: Uri) => Thenable<unknown>) => showBeside(name, open, act);
  const handlers: Record<string, () => unknown> = {
    'aptix.sample.open': open,
    'aptix.sample.preview': () => show(reply, (uri) => send(CommandPreview, uri)),
    'aptix.sample.apply': () => show(reply, (uri) => send(CommandApply, uri)),
    'aptix.sample.undo': () => show(reply, undo),
    'aptix.sample.fix': () => show('broken.md'),
  };
  if (sampleFolder()) void greet(show);
  return Disposable.from(...Object.entries(handlers).map(([id, handler]) => commands.registerCommand(id, handler)));
}

// openCopy opens a new copy of the sample, without the changes of the last copy.
async function openCopy(sample: string): Promise<void> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'aptix-')), folderName);
  await cp(sample, folder, { recursive: true });
  const forceNewWindow = workspace.workspaceFolders !== undefined;
  await commands.executeCommand('vscode.openFolder', Uri.file(folder), { forceNewWindow });
}

// greet opens the walkthrough, with the reply next to it. The editor group of the walkthrough is locked, so that no
// preview opens in front.
async function greet(show: (name: string) => Promise<void>): Promise<void> {
  await commands.executeCommand('workbench.action.openWalkthrough', 'aptix.aptix#firstReply', false);
  await commands.executeCommand('workbench.action.lockEditorGroup');
  await commands.executeCommand('setContext', 'aptix.sample', true); // completes the first step
  await show(reply);
}

function sampleFolder(): Uri | undefined {
  return workspace.workspaceFolders?.find(({ name }) => name === folderName)?.uri;
}

async function showBeside(name: string, open: () => unknown, act?: (uri: Uri) => Thenable<unknown>): Promise<void> {
  const folder = sampleFolder();
  if (folder) {
    const uri = Uri.joinPath(folder, name);
    await window.showTextDocument(uri, { viewColumn: ViewColumn.Two });
    await act?.(uri);
  } else if (await inform('this command needs the sample, which is not open.', openSample)) {
    await open();
  }
}

// undo focuses the reply's editor and undoes in one step. VS Code's command undoes in the focused editor, but the
// walkthrough gets the focus back a moment after a click on its button.
function undo(): Thenable<unknown> {
  return commands.executeCommand('runCommands', { commands: ['workbench.action.focusSecondEditorGroup', 'undo'] });
}

function send(command: string, uri: Uri): Thenable<unknown> {
  const target: Target = { uri: uri.toString(), block: null };
  return commands.executeCommand(command, target);
}
