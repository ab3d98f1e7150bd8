// Quick fixes in an answer of the chat. VS Code offers no fixes in a read-only editor, but an extension can still make
// edits in it.
import { type CodeAction, CodeActionKind, commands, Position, Range, Uri, window, workspace } from 'vscode';
import { openDocument } from './apply-edit';
import type { Server } from './client';
import { line } from './escape';
import { inform } from './notify';
import { type Blocks, CommandFeedback, MethodBlocks, type Target } from './protocol.gen';

const copy = 'Copy Problems for the Model';

// fixChatAnswer lists the fixes at the cursor, or all fixes in the target.
export async function fixChatAnswer(server: Pick<Server, 'request'>, target?: Target): Promise<void> {
  const at = target ? await placeOf(server, target) : atCursor();
  if (!at) return;
  const found = await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', ...at, kind);
  // Actions of other extensions, such as "Explain", are left out.
  const ours = found.filter(({ edit, command }) => edit || command?.command.startsWith('aptix.'));
  const fixes = ours.map((action) => ({ label: line(action.title), action }));
  if (fixes.length === 0) {
    const choice = await inform('Aptix has no fix for this. The model that wrote the reply can correct it.', copy);
    if (choice) await commands.executeCommand(CommandFeedback, target ?? { uri: at[0].toString(), block: null });
    return;
  }
  const { edit, command } = (await window.showQuickPick(fixes, { title: 'Aptix: Fix the Reply' }))?.action ?? {};
  if (edit) await workspace.applyEdit(edit);
  if (command) await commands.executeCommand(command.command, ...(command.arguments ?? []));
}

const kind = CodeActionKind.QuickFix.value;

// placeOf returns the lines from the target's block to the next block. If the target is no block, it returns all lines
// of the document.
async function placeOf(server: Pick<Server, 'request'>, target: Target): Promise<[Uri, Range] | undefined> {
  const uri = Uri.parse(target.uri);
  const document = openDocument(uri);
  if (!document) return undefined;
  const { blocks } = await server.request<Blocks>(MethodBlocks, { uri: target.uri });
  const at = blocks.findIndex(({ index }) => index === target.block);
  const next = (at >= 0 && blocks[at + 1]?.line) || document.lineCount;
  return [uri, new Range(new Position(blocks[at]?.line ?? 0, 0), document.lineAt(next - 1).range.end)];
}

function atCursor(): [Uri, Range] | undefined {
  const editor = window.activeTextEditor;
  return editor && [editor.document.uri, editor.document.lineAt(editor.selection.active).range];
}
