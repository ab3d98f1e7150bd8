// Tells the server which document has the person's attention.
import { type Disposable, type TextEditor, window } from 'vscode';
import type { Server } from './client';
import { type ActiveParams, ChatScheme, MethodActive } from './protocol.gen';

export class Active implements Disposable {
  private readonly listener = window.onDidChangeActiveTextEditor((editor) => this.tell(editor));

  constructor(private readonly server: Server) {}

  dispose(): void {
    this.listener.dispose();
  }

  tell(editor = window.activeTextEditor): void {
    void this.server.notify(MethodActive, active(editor));
  }
}

// active names the document of an editor. It names no output and no side of a diff, because the server has no such
// documents.
function active(editor: TextEditor | undefined): ActiveParams {
  const uri = editor?.document.uri;
  return { uri: uri && ['file', 'untitled', ChatScheme].includes(uri.scheme) ? uri.toString() : '' };
}
