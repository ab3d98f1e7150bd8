// Quick fixes in an answer of the chat. VS Code offers no fixes in a read-only editor, but lets an extension make edits
// there.
import { type CodeAction, CodeActionKind, commands, Range, Uri, window, workspace } from 'vscode';
import { openDocument } from './apply-edit';
import { line } from './escape';
import { inform } from './notify';
import { CommandFeedback, type Target } from './protocol.gen';

const copy = 'Copy Problems for the Model';

// fixChatAnswer lists the fixes at the cursor, or all fixes in the target's document.
export async function fixChatAnswer(target?: Target): Promise<void> {
  const at = target ? everywhere(Uri.parse(target.uri)) : atCursor();
  if (!at) return;
  const found = await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', ...at, kind);
  const fixes = found.map((action) => ({ label: line(action.title), action }));
  if (fixes.length === 0) {
    const choice = await inform('no fix is known here. The model that wrote the reply can correct it.', copy);
    if (choice) await commands.executeCommand(CommandFeedback, target ?? { uri: at[0].toString(), block: null });
    return;
  }
  const { edit, command } = (await window.showQuickPick(fixes, { title: 'Aptix: Fix the Reply' }))?.action ?? {};
  if (edit) await workspace.applyEdit(edit);
  if (command) await commands.executeCommand(command.command, ...(command.arguments ?? []));
}

const kind = CodeActionKind.QuickFix.value;

function everywhere(uri: Uri): [Uri, Range] | undefined {
  const document = openDocument(uri);
  return document && [uri, new Range(0, 0, document.lineCount, 0)];
}

function atCursor(): [Uri, Range] | undefined {
  const editor = window.activeTextEditor;
  return editor && [editor.document.uri, editor.document.lineAt(editor.selection.active).range];
}
