// The extension for VS Code mostly passes on what the language server does. It builds workspace edits itself, because
// the language client keeps neither the order of operations nor the contents of new files. Each edit also inserts an
// empty text into the reply. The reply is then part of the same undo step, and Ctrl+Z works in the editor in which the
// person clicked. Questions are modal dialogs. A message announces an agent's change, and nothing opens before a click,
// so that no keystroke reaches the wrong editor. Files without unsaved text are saved after the apply, and after its
// undo: creations and deletions reach the disk immediately, so the disk would otherwise have half a change.
//
// Nearly all of the extension's package (.vsix) is the Go program, compressed as `bin/aptix.br`. Before the server
// first starts, `program.ts` unpacks the program into a new file, syncs it, compares it with the checksum in the
// package, and renames it. Therefore neither a crash nor a damaged package leaves half a program. If the extension's
// folder cannot be written, the program is unpacked into the extension's global storage.

import { Disposable, type ExtensionContext, Uri, window, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { Active } from './active';
import { Apply } from './apply';
import { ChatAnswers } from './chat-answer';
import { ChatCommands } from './chat-commands';
import { ChatParticipant } from './chat-participant';
import { ChatSession } from './chat-session';
import { ChatWatch } from './chat-watch';
import { Server } from './client';
import { registerCommands } from './commands';
import { ConflictLenses } from './conflict-lenses';
import { copyFeedback } from './feedback';
import { HistoryView } from './history';
import { registerHistoryCommands } from './history-commands';
import { Revert } from './history-revert';
import { Marks } from './marks';
import { registerMcpServer } from './mcp';
import { Offers, offerToShow } from './offer';
import { Preview } from './preview';
import { ownProgram } from './program';
import {
  CommandApply,
  CommandDismiss,
  CommandFeedback,
  CommandPreview,
  CommandRevert,
  CommandSkip,
  type Target,
} from './protocol.gen';
import { RepliesView } from './replies';
import { Review } from './review';
import { registerSample } from './sample';
import { Saving } from './saving';
import { StatusItem } from './status';
import { registerTools } from './tools';
import { WaysOn } from './ways';

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('Aptix', { log: true });
  // The language client registers the server's commands itself. This middleware intercepts their calls.
  const middleware: Middleware = {
    workspace: { handleApplyEdit: (params) => apply.edit(params) },
    executeCommand: (command, args, next) => {
      const [target]: (Target | undefined)[] = args;
      if (target && command === CommandApply) {
        return apply.run(target).then(async (result) => {
          if (result.applied) await preview.applied(target);
          return result;
        });
      }
      if (target && command === CommandPreview) return preview.show(target);
      if (command === CommandRevert && args[0]?.id) return revert.askOf(args[0].id);
      if (target && command === CommandSkip) preview.outdate(target.uri);
      if (target && command === CommandDismiss) answers.hide(target.uri);
      if (target && command === CommandFeedback) return copyFeedback(Promise.resolve(next(command, args)));
      return next(command, args);
    },
  };
  const item = new StatusItem();
  const program = ownProgram(context);
  const started = new Server(program, output, {
    middleware,
    status: (status) => {
      item.show(status);
      replies.show(status);
      void conflicts.show(status);
    },
    historyChanged: () => {
      history.refresh();
      marks.refresh();
    },
    question: (params) => apply.question(params),
    offer: (params, token) => offers.ask(params, token),
    show: (preview) => void offerToShow(preview),
    agentChange: ({ agent, id, message }) => {
      void apply.offerUndo(`${agent || 'An agent'} made a change. ${message}.`, id);
    },
    running: (runs) => (runs ? active.tell() : offers.withdraw()),
  });
  const replies = new RepliesView(started);
  const saving = new Saving();
  const apply = new Apply(started, saving, output, {
    preview: (target) => preview.show(target),
    undo: (id) => revert.undo(id),
    ways: (show, message, target, found) => ways.offer(show, message, target, found),
  });
  const answers = new ChatAnswers();
  const conflicts = new ConflictLenses(answers, context.globalState);
  const ways = new WaysOn(started, answers);
  const preview = new Preview(started, ways);
  const history = new HistoryView(started);
  const revert = new Revert(started, apply);
  const marks = new Marks(started, context.workspaceState);
  const review = new Review(started, apply, context.workspaceState);
  const offers = new Offers(started);
  const active = new Active(started);
  const session = new ChatSession();
  const chat = new ChatCommands(started, session, answers, context.globalState);
  const icon = Uri.joinPath(context.extensionUri, 'icon.png');
  const participant = new ChatParticipant(started, session, icon);
  const watch = new ChatWatch(started, session, answers, output);
  const registered = Disposable.from(
    registerCommands(started, preview, offers, output),
    registerHistoryCommands(started, history, revert, review),
    registerTools(context.extension, started),
    registerMcpServer(context, program),
    registerSample(context),
  );
  const trusted = workspace.onDidGrantWorkspaceTrust(() => started.restart());
  context.subscriptions.push(output, item, saving, preview, history, revert, offers, active, registered, trusted);
  context.subscriptions.push(marks, review);
  context.subscriptions.push(session, answers, chat, participant, watch, replies);
  server = started;
  await started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
