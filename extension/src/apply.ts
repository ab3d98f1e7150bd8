// The commands that apply and revert: ask the server, make its edits, show the result.
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

// One apply or revert at work.
interface Running {
  target: Target | undefined; // of an apply
  reply: TextDocument | undefined; // where it is in a document
  saved: Uri[]; // files that were saved before its edits, where they are afterwards
  undo: boolean; // in an editor that was open, an undo takes the change back
  question: 'open' | 'agreed' | 'declined' | undefined;
  declined(): void; // who asks again from now on is asked again
}

// Elsewhere is what follows from an answer of the person.
export interface Elsewhere {
  preview(target: Target): Promise<unknown>;
  undo(id: string): Promise<unknown>;
  ways(show: Notify, message: string, target: Target, ways: Ways): Promise<unknown>;
}

export class Apply {
  private running: Running | undefined;
  // By what was asked for: a second click joins the first one, so that an open question is answered once.
  private readonly asked = new Map<string, Promise<ApplyResult | RevertResult>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly saving: Saving,
    private readonly output: LogOutputChannel,
    private readonly elsewhere: Elsewhere,
  ) {}

  // run offers what leads on after a refusal; what becomes of that, it does not wait for.
  async run(target: Target): Promise<ApplyResult> {
    const result: ApplyResult = await this.inTurn<ApplyResult>(CommandApply, target);
    if (leadsOn(result)) {
      this.output.error(result.message);
      void this.elsewhere.ways(fail, result.message, target, result);
    }
    return result;
  }

  // revert leaves conflicts to the caller, who offers a choice.
  revert(params: RevertParams): Promise<RevertResult> {
    return this.inTurn<RevertResult>(CommandRevert, params);
  }

  // done waits for what was asked for so far: files are saved before the history has the change.
  done(): Promise<unknown> {
    return this.last;
  }

  // question answers aptix/question. To preview the change is no yet: the preview has the button.
  async question(params: QuestionParams): Promise<QuestionResult> {
    const { running } = this;
    if (!running) return { accepted: false };
    running.question = 'open';
    const answer = await put(params, running.target !== undefined);
    if (running !== this.running) {
      if (answer) void warn('the server was restarted while it asked. Nothing was changed; try again.');
      return { accepted: false };
    }
    running.question = answer === 'accept' ? 'agreed' : 'declined';
    if (running.question === 'declined') running.declined();
    if (answer === 'preview' && running.target) {
      void this.elsewhere.preview({ ...running.target, agreed: params.token });
    }
    return { accepted: answer === 'accept' };
  }

  // edit answers workspace/applyEdit.
  async edit({ edit }: ApplyWorkspaceEditParams): Promise<ApplyWorkspaceEditResult> {
    if (!workspace.isTrusted) return { applied: false, failureReason: 'the workspace is not trusted' };
    const { running } = this;
    const saved = await this.saving.saved(editedFiles(edit));
    const stale = staleDocument(edit);
    if (stale) return { applied: false, failureReason: `${stale} has changed meanwhile` };
    const made = toWorkspaceEdit(edit, running?.reply);
    if (running) {
      saved.push(...running.saved);
      running.saved = saved;
      running.undo ||= made.entries().some(([uri]) => isOpen(uri));
    }
    const applied = await workspace.applyEdit(made);
    // Not later: VS Code opens an editor for each file that stays unsaved for 0.8 seconds.
    if (applied) await this.saving.save(saved);
    return { applied };
  }

  // inTurn makes one change after the other.
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
    if (leadsOn(result)) return; // run tells
    if (question === 'declined') return; // the person knows
    if (result.applied) did(target ? (target.fix ? 'fix' : 'apply') : 'undo');
    if (result.applied && result.verified) {
      if (!result.lasting && undo) flash('check', `${result.message}. Undo takes it back.`);
      else void this.offerUndo(`${result.message}.`, result.id);
    } else if (result.verified) {
      void inform(result.message);
    } else {
      const harmless = !result.rolledBack && result.left.length === 0;
      void this.complain(harmless ? warn : fail, result.message);
    }
  }

  // offerUndo says what was done where no undo of an editor takes it back.
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

// leadsOn is whether there is more to do after a refusal. The server also writes ways that lead nowhere, as false.
function leadsOn({ rest, fixable, problems, noBlock }: ApplyResult): boolean {
  return Boolean(rest || fixable || problems || noBlock);
}

// stoppedByConflicts is whether nothing was written because files were touched since.
export function stoppedByConflicts(result: ApplyResult | RevertResult): result is RevertResult {
  const nothing = !result.applied && !result.verified && !result.rolledBack && result.left.length === 0;
  return nothing && 'conflicts' in result && result.conflicts.length > 0;
}

// isOpen is whether an editor has the document open, so that Ctrl+Z in it works.
// isOpen reports whether a document has an editor whose undo takes an edit back. A pasted text and a chat's answer are
// read-only, and their editors have no undo.
function isOpen(uri: Uri): boolean {
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
