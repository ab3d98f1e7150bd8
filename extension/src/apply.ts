// The commands that apply and revert: they send a request to the server, make its edits and show the result.
import {
  commands,
  type LogOutputChannel,
  ProgressLocation,
  TabInputText,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
} from 'vscode-languageclient/node';
import { editedFiles, openDocument, staleDocument, toWorkspaceEdit } from './apply-edit';
import { errorText, type Server, serverStopped } from './client';
import { fail, flash, inform, type Notify, warn } from './notify';
import {
  type ApplyResult,
  ChatScheme,
  CommandApply,
  CommandRevert,
  type QuestionParams,
  type QuestionResult,
  type RevertParams,
  type RevertResult,
  type Target,
} from './protocol.gen';
import { put } from './question';
import type { Saving } from './saving';
import { did } from './walkthrough';
import type { Ways } from './ways';

interface Running {
  target: Target | undefined; // undefined for a revert
  reply: TextDocument | undefined; // undefined if the reply is not a document
  saved: Uri[]; // files without unsaved text before the edits, by their URIs after the edits
  undo: boolean; // whether an editor that was already open can undo the change
  question: 'open' | 'agreed' | 'declined' | undefined;
  declined(): void; // after this call, a later click shows the question again
}

// Elsewhere has functions of other files that run after the person has answered.
export interface Elsewhere {
  preview(target: Target): Promise<unknown>;
  undo(id: string): Promise<unknown>;
  ways(show: Notify, message: string, target: Target, ways: Ways): Promise<unknown>;
}

export class Apply {
  private running: Running | undefined;
  // The requested changes, by command and argument. A second click joins the first click, so that the person answers a
  // question only once.
  private readonly asked = new Map<string, Promise<ApplyResult | RevertResult>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly saving: Saving,
    private readonly output: LogOutputChannel,
    private readonly elsewhere: Elsewhere,
  ) {}

  // run applies a reply. After a refusal, it offers other actions, and does not wait for the person's choice.
  async run(target: Target): Promise<ApplyResult> {
    const result: ApplyResult = await this.inTurn<ApplyResult>(CommandApply, target);
    if (offersMore(result)) {
      this.output.error(result.message);
      void this.elsewhere.ways(fail, result.message, target, result);
    }
    return result;
  }

  // revert reverts an apply. If there are conflicts, the caller offers a choice.
  revert(params: RevertParams): Promise<RevertResult> {
    return this.inTurn<RevertResult>(CommandRevert, params);
  }

  // done waits for all changes requested so far. A change ends when its files are saved and the history has it.
  done(): Promise<unknown> {
    return this.last;
  }

  // question handles aptix/question. If the person chooses to preview the change, the result is a refusal, because the
  // preview has its own Apply button.
  async question(params: QuestionParams): Promise<QuestionResult> {
    const { running } = this;
    if (!running) return { accepted: false };
    running.question = 'open';
    const answer = await put(params, running.target !== undefined);
    if (running !== this.running) {
      if (answer) void warn('the server was restarted before you answered. Nothing was changed; try again.');
      return { accepted: false };
    }
    running.question = answer === 'accept' ? 'agreed' : 'declined';
    if (running.question === 'declined') running.declined();
    if (answer === 'preview' && running.target) {
      void this.elsewhere.preview({ ...running.target, agreed: params.token });
    }
    return { accepted: answer === 'accept' };
  }

  // edit handles workspace/applyEdit.
  async edit({ edit }: ApplyWorkspaceEditParams): Promise<ApplyWorkspaceEditResult> {
    if (!workspace.isTrusted) return { applied: false, failureReason: 'the workspace is not trusted' };
    const { running } = this;
    const saved = await this.saving.saved(editedFiles(edit));
    const stale = staleDocument(edit);
    if (stale) return { applied: false, failureReason: `${stale} has changed in the meantime` };
    const made = toWorkspaceEdit(edit, running?.reply);
    if (running) {
      saved.push(...running.saved);
      running.saved = saved;
      running.undo ||= made.entries().some(([uri]) => canUndo(uri));
    }
    const applied = await workspace.applyEdit(made);
    // Saving starts immediately, because VS Code opens an editor for each file that stays unsaved for 0.8 seconds.
    if (applied) await this.saving.save(saved);
    return { applied };
  }

  // inTurn makes changes one after another. For a change that was already requested, it returns the earlier promise.
  private inTurn<R extends ApplyResult>(command: string, argument: Target | RevertParams): Promise<R | RevertResult> {
    const key = JSON.stringify([command, argument]);
    const same = this.asked.get(key);
    if (same) return same as Promise<R | RevertResult>;
    const forget = () => this.asked.get(key) === result && this.asked.delete(key);
    const result = this.last.then(() => this.carryOut<R>(command, argument, forget));
    this.asked.set(key, result);
    this.last = result.finally(forget);
    return result;
  }

  private async carryOut<R extends ApplyResult>(
    command: string,
    argument: Target | RevertParams,
    declined: () => void,
  ): Promise<R | RevertResult> {
    if (!workspace.isTrusted) return this.refuseUntrusted();
    const target = 'block' in argument ? argument : undefined;
    const reply = target && openDocument(Uri.parse(target.uri));
    const running: Running = { target, reply, saved: [], undo: false, question: undefined, declined };
    this.running = running;
    try {
      const result = await this.request<R>(command, argument);
      if (!stoppedByConflicts(result)) this.tell(result, running);
      return result;
    } catch (error) {
      return this.fail(serverStopped(error) ? whyStopped(running) : errorText(error));
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

  private tell(result: ApplyResult, { target, question, undo }: Running): void {
    if (offersMore(result)) return; // run shows the message
    if (question === 'declined') return; // the person already knows
    if (result.applied) did(target ? (target.fix ? 'fix' : 'apply') : 'undo');
    if (result.applied && result.verified) {
      if (!result.lasting && undo) flash('check', `${result.message}. You can undo it.`);
      else void this.offerUndo(`${result.message}.`, result.id);
    } else if (result.verified) {
      void inform(result.message);
    } else {
      const harmless = !result.rolledBack && result.left.length === 0;
      void this.complain(harmless ? warn : fail, result.message);
    }
  }

  // offerUndo shows a message with an Undo button, for changes that no editor can undo.
  async offerUndo(message: string, id: string): Promise<void> {
    const choice = await inform(message, ...(id ? ['Undo'] : []));
    if (choice) await this.elsewhere.undo(id);
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

// offersMore reports whether the person can do anything else after a refusal.
function offersMore({ rest, fixable, problems, noBlock }: ApplyResult): boolean {
  return Boolean(rest || fixable || problems || noBlock);
}

// stoppedByConflicts reports whether nothing was written because files were edited since the apply.
export function stoppedByConflicts(result: ApplyResult | RevertResult): result is RevertResult {
  const nothing = !result.applied && !result.verified && !result.rolledBack && result.left.length === 0;
  return nothing && 'conflicts' in result && result.conflicts.length > 0;
}

// canUndo reports whether a document is open in an editor that can undo an edit. Pasted texts and chat answers are
// read-only, so their editors cannot.
function canUndo(uri: Uri): boolean {
  if (uri.scheme === ChatScheme) return false;
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
}

function whyStopped({ question }: Running): string {
  if (question === 'open') return 'the server stopped while it asked you, and nothing was changed. Try again.';
  return 'the server stopped before it reported whether the change was made. Check the history to see whether it was made.';
}

function nothingDone(message: string): RevertResult {
  const none = { id: '', reverts: '', files: [], left: [], conflicts: [] };
  return { applied: false, verified: false, rolledBack: false, ...none, message };
}
