// The status bar item and the context key for documents with blocks. The item describes what the blocks of the active
// document would change. The key shows menus and enables keyboard shortcuts.
import { commands, Disposable, StatusBarAlignment, Uri, window, workspace } from 'vscode';
import { label } from './escape';
import type { Status } from './protocol.gen';

export class StatusItem implements Disposable {
  private readonly known = new Map<string, Status>(); // by URI
  private readonly item = window.createStatusBarItem('aptix.status', StatusBarAlignment.Left);
  private readonly subscriptions = Disposable.from(
    this.item,
    window.onDidChangeActiveTextEditor(() => this.update()),
    workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString()) && this.setContext()),
  );

  constructor() {
    this.item.name = 'Aptix';
    this.item.command = 'aptix.previewAll';
    this.item.tooltip = 'Preview what the reply changes';
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  show(status: Status): void {
    this.known.set(Uri.parse(status.uri).toString(), status);
    this.update();
    this.setContext();
  }

  // setContext lists the documents with blocks in the context key, by the paths with which VS Code compares the path of
  // each editor.
  private setContext(): void {
    const withBlocks = [...this.known].filter(([, { blocks }]) => blocks > 0).map(([uri]) => Uri.parse(uri));
    const paths = withBlocks.flatMap(({ path, fsPath }) => [path, fsPath]); // VS Code compares `path` on some machines, and `fsPath` on others
    void commands.executeCommand('setContext', 'aptix.documents', paths);
  }

  private update(): void {
    const status = this.known.get(window.activeTextEditor?.document.uri.toString() ?? '');
    if (status && status.blocks > 0) {
      this.item.text = `$(${status.errors > 0 ? 'error' : 'diff'}) Aptix: ${label(status.text)}`;
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}
