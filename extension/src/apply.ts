// The apply command: asks the server, carries out its edits, tells the person what became of it.
import { commands, type LogOutputChannel, ProgressLocation, type TextDocument, Uri, window, workspace } from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
} from 'vscode-languageclient/node';
import { editedFiles, openDocument, staleDocument, toWorkspaceEdit } from './apply-edit';
import { errorText, type Server } from './client';
import { type ApplyResult, CommandApply, type Target } from './protocol.gen';
import type { Saving } from './saving';

const shown = 10_000; // milliseconds that a message stands in the status bar

type Show = (message: string, ...buttons: string[]) => Thenable<string | undefined>;

// One apply at work: its reply, and the files that were saved before it.
interface Running {
  reply: TextDocument | undefined;
  saved: Uri[]; // where they stand after it
}

export class Apply {
  private running: Running | undefined;

  constructor(
    private readonly server: Server,
    private readonly saving: Saving,
    private readonly output: LogOutputChannel,
  ) {}

  async run(target: Target): Promise<ApplyResult> {
    if (!workspace.isTrusted) return this.refuseUntrusted();
    if (this.running) return this.fail('An apply is still running.');
    const running: Running = { reply: openDocument(Uri.parse(target.uri)), saved: [] };
    this.running = running;
    try {
      const result = await this.request(target);
      if (result.verified || result.rolledBack) await this.saving.save(running.saved);
      this.tell(result);
      return result;
    } catch (error) {
      return this.fail(errorText(error));
    } finally {
      this.running = undefined;
    }
  }

  // edit answers workspace/applyEdit.
  async edit({ edit }: ApplyWorkspaceEditParams): Promise<ApplyWorkspaceEditResult> {
    if (!workspace.isTrusted) return { applied: false, failureReason: 'the workspace is not trusted' };
    const saved = await this.saving.saved(editedFiles(edit));
    const stale = staleDocument(edit);
    if (stale) return { applied: false, failureReason: `${stale} has changed meanwhile` };
    this.running?.saved.push(...saved);
    return { applied: await workspace.applyEdit(toWorkspaceEdit(edit, this.running?.reply)) };
  }

  private request(target: Target): Thenable<ApplyResult> {
    const params: ExecuteCommandParams = { command: CommandApply, arguments: [target] };
    return window.withProgress({ location: ProgressLocation.Window, title: 'Aptix: applying' }, () =>
      this.server.request(ExecuteCommandRequest.method, params),
    );
  }

  private tell(result: ApplyResult): void {
    if (result.applied && result.verified) {
      if (result.lasting) void window.showInformationMessage(`Aptix: ${result.message}.`);
      else window.setStatusBarMessage(`$(check) Aptix: ${result.message}. Undo takes it back.`, shown);
    } else if (result.verified) {
      void window.showInformationMessage(`Aptix: ${result.message}`);
    } else {
      const harmless = !result.rolledBack && result.left.length === 0;
      void this.complain(harmless ? window.showWarningMessage : window.showErrorMessage, result.message);
    }
  }

  private fail(message: string): ApplyResult {
    void this.complain(window.showErrorMessage, message);
    return nothingDone(message);
  }

  private async complain(show: Show, message: string): Promise<void> {
    this.output.error(message);
    const choice = await show(`Aptix: ${message}`, 'Show Problems', 'Show Output');
    if (choice === 'Show Problems') await commands.executeCommand('workbench.actions.view.problems');
    if (choice === 'Show Output') this.output.show();
  }

  private refuseUntrusted(): ApplyResult {
    const message = 'Nothing is applied in a workspace that is not trusted.';
    void window
      .showErrorMessage(`Aptix: ${message} Checks and previews work.`, 'Manage Workspace Trust')
      .then((choice) => choice && commands.executeCommand('workbench.trust.manage'));
    return nothingDone(message);
  }
}

function nothingDone(message: string): ApplyResult {
  return { applied: false, verified: false, rolledBack: false, id: '', files: [], left: [], message };
}
