// Commands that go from block to block in the active document.
import { Range, Selection, TextEditorRevealType, window } from 'vscode';
import type { Server } from './client';
import { inform } from './notify';
import { type Blocks, MethodBlocks } from './protocol.gen';

// goToBlock goes to the next or previous block. After the last block it continues with the first block, like VS Code's
// commands for problems.
export async function goToBlock(server: Pick<Server, 'request'>, which: 'next' | 'previous'): Promise<void> {
  const editor = window.activeTextEditor;
  if (!editor) return;
  const { blocks } = await server.request<Blocks>(MethodBlocks, { uri: editor.document.uri.toString() });
  const at = editor.selection.active.line;
  const lines = blocks.map(({ line }) => line);
  const line =
    which === 'next' ? (lines.find((l) => l > at) ?? lines[0]) : (lines.findLast((l) => l < at) ?? lines.at(-1));
  if (line === undefined) {
    void inform('this document has no blocks.');
    return;
  }
  editor.selection = new Selection(line, 0, line, 0);
  editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.InCenterIfOutsideViewport);
}
