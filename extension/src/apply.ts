// The commands that apply and revert: ask the server, make its edits, show the result.
import { commands, type LogOutputChannel, ProgressLocation, type TextDocument, Uri, window, workspace } from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
} from 'vscode-languageclient/node';
import { editedFiles, openDocument, staleDocument, toWorkspaceEdit } from './apply-edit';
import { errorText, type Server } from './client';
import { fail, flash, inform, type Notify, warn } from './notify';
import {
  type ApplyResult,
  CommandApply,
  CommandRevert,
  type RevertParams,
  type RevertResult,
  type Target,
} from './protocol.gen';
import type { Saving } from './saving';

const applyTheRest = 'Apply the Rest…';
const fixAndApply = 'Fix and Apply';

// One apply or revert at work: the reply, where it is in a document, and the files that were saved before.
interface Running {
  reply: TextDocument | undefined;
  saved: Uri[]; // where they stand afterwards
}

export class Apply {
  private running: Running | undefined;

  constructor(
    private readonly server: Server,
    private readonly saving: Saving,
    private readonly output: LogOutputChannel,
  ) {}

  // run offers the rest of a reply that lacks some finds, after it was refused; what becomes of that, it does not wait for.
  async run(target: Target): Promise<ApplyResult> {
    const result = await this.carryOut<ApplyResult>(CommandApply, target, openDocument(Uri.parse(target.uri)));
    if ('rest' in result && result.rest) void this.offerRest(target, result.message);
    if ('fixable' in result && result.fixable) void this.offerFix(target, result.message);
    return result;
  }

  private async offerFix(target: Target, message: string): Promise<void> {
    const choice = await this.complain(fail, message, fixAndApply);
    if (choice === fixAndApply) await this.run({ ...target, fix: true });
  }

  private async offerRest(target: Target, message: string): Promise<void> {
    const choice = await this.complain(fail, message, applyTheRest);
    if (choice === applyTheRest) await this.run({ ...target, skipMissing: true });
  }

  // revert leaves conflicts to the caller, who offers a choice.
  revert(params: RevertParams): Promise<RevertResult> {
    return this.carryOut<RevertResult>(CommandRevert, params, undefined);
  }

  // edit answers workspace/applyEdit.
  async edit({ edit }: ApplyWorkspaceEditParams): Promise<ApplyWorkspaceEditResult> {
    if (!workspace.isTrusted) return { applied: false, failureReason: 'the workspace is not trusted' };
    const saved = await this.saving.saved(editedFiles(edit));
    const stale = staleDocument(edit);
    if (stale) return { applied: false, failureReason: `${stale} has changed meanwhile` };
    this.running?.saved.push(...saved);
    const applied = await workspace.applyEdit(toWorkspaceEdit(edit, this.running?.reply));
    if (applied && !this.running) await this.saving.save(saved); // an agent's: nothing here waits for its end
    return { applied };
  }

  private async carryOut<R extends ApplyResult>(
    command: string,
    argument: Target | RevertParams,
    reply: TextDocument | undefined,
  ): Promise<R | RevertResult> {
    if (!workspace.isTrusted) return this.refuseUntrusted();
    if (this.running) return this.fail('An apply or revert is still running.');
    const running: Running = { reply, saved: [] };
    this.running = running;
    try {
      const result = await this.request<R>(command, argument);
      if (result.verified || result.rolledBack) await this.saving.save(running.saved);
      if (!stoppedByConflicts(result)) this.tell(result);
      return result;
    } catch (error) {
      return this.fail(errorText(error));
    } finally {
      this.running = undefined;
    }
  }

  private request<R>(command: string, argument: Target | RevertParams): Thenable<R> {
    const params: ExecuteCommandParams = { command, arguments: [argument] };
    const title = command === CommandRevert ? 'Aptix: reverting' : 'Aptix: applying';
    return window.withProgress({ location: ProgressLocation.Window, title }, () =>
      this.server.request(ExecuteCommandRequest.method, params),
    );
  }

  private tell(result: ApplyResult): void {
    if (result.rest || result.fixable) return; // run tells
    if (result.applied && result.verified) {
      if (result.lasting) void inform(`${result.message}.`);
      else flash('check', `${result.message}. Undo takes it back.`);
    } else if (result.verified) {
      void inform(result.message);
    } else {
      const harmless = !result.rolledBack && result.left.length === 0;
      void this.complain(harmless ? warn : fail, result.message);
    }
  }

  private fail(message: string): RevertResult {
    void this.complain(fail, message);
    return nothingDone(message);
  }

  private async complain(show: Notify, message: string, ...buttons: string[]): Promise<string | undefined> {
    this.output.error(message);
    const choice = await show(message, ...buttons, 'Show Problems', 'Show Output');
    if (choice === 'Show Problems') await commands.executeCommand('workbench.actions.view.problems');
    if (choice === 'Show Output') this.output.show();
    return choice;
  }

  private refuseUntrusted(): RevertResult {
    const message = 'Nothing is applied in a workspace that is not trusted.';
    void fail(`${message} Checks and previews work.`, 'Manage Workspace Trust').then(
      (choice) => choice && commands.executeCommand('workbench.trust.manage'),
    );
    return nothingDone(message);
  }
}

// stoppedByConflicts is whether nothing was written because files were touched since.
export function stoppedByConflicts(result: ApplyResult | RevertResult): result is RevertResult {
  const nothing = !result.applied && !result.verified && !result.rolledBack && result.left.length === 0;
  return nothing && 'conflicts' in result && result.conflicts.length > 0;
}

function nothingDone(message: string): RevertResult {
  const none = { id: '', reverts: '', files: [], left: [], conflicts: [] };
  return { applied: false, verified: false, rolledBack: false, ...none, message };
}
