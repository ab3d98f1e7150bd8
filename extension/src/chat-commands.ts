// The commands that read the chat, and the command that writes into its input.
import { commands, Disposable, type Memento, workspace } from 'vscode';
import { type ExecuteCommandParams, ExecuteCommandRequest } from 'vscode-languageclient/node';
import type { ChatAnswers } from './chat-answer';
import { fixChatAnswer } from './chat-fix';
import type { ChatSession } from './chat-session';
import { offerToWatch } from './chat-watch';
import type { Server } from './client';
import { inform } from './notify';
import {
  type ChatAnswer,
  CommandApply,
  CommandFeedback,
  CommandPreview,
  type FeedbackResult,
  MethodChatAnswer,
  type Target,
} from './protocol.gen';
import { did } from './walkthrough';

const fromClipboard = 'Apply from Clipboard';

export class ChatCommands implements Disposable {
  private readonly registered = Disposable.from(
    commands.registerCommand('aptix.chat.preview', (answer: unknown) => this.run(CommandPreview, answer)),
    commands.registerCommand('aptix.chat.apply', (answer: unknown) => this.run(CommandApply, answer)),
    commands.registerCommand('aptix.chat.fix', (target?: Target) => fixChatAnswer(this.server, target)),
    commands.registerCommand('aptix.chat.send', (target: Target) => this.send(target)),
  );

  constructor(
    private readonly server: Server,
    private readonly session: ChatSession,
    private readonly answers: ChatAnswers,
    private readonly memento: Memento,
  ) {}

  dispose(): void {
    this.registered.dispose();
  }

  // run runs a command on the last answer in the chat, or on the text `given` by a button below an answer of @aptix.
  private async run(command: string, given: unknown): Promise<void> {
    if (typeof given === 'string') return this.open(given, command);
    const json = await this.session.export();
    if (json === undefined) return this.showWhole();
    const answer = await this.server.request<ChatAnswer>(MethodChatAnswer, { json });
    if (answer.message) void inform(answer.message);
    if (!answer.text) return;
    await this.open(answer.text, answer.state === 'stopped' ? CommandPreview : command);
    void offerToWatch(this.memento);
  }

  private async open(text: string, command: string): Promise<void> {
    const { uri } = await this.answers.show(text);
    did('chat');
    const target: Target = { uri: uri.toString(), block: null, unseen: true };
    await commands.executeCommand(command, target);
  }

  // showWhole opens a copy of the whole chat. The copy does not show where an answer begins, so the person chooses
  // among its blocks.
  private async showWhole(): Promise<void> {
    const copied = await this.session.copy();
    if (copied !== undefined) {
      await this.answers.show(copied);
      void inform('this version of VS Code can only copy the whole chat. Choose the block that you want.');
    } else if (
      await inform('no chat is open, or the open chat cannot be read. Copy the answer instead.', fromClipboard)
    ) {
      await commands.executeCommand('aptix.applyClipboard');
    }
  }

  // send adds the problems of a reply to the chat's input, after any text that the person has typed. If there is no
  // chat, it copies the problems.
  private async send(target: Target): Promise<unknown> {
    if (workspace.getConfiguration('chat').get('disableAIFeatures'))
      return commands.executeCommand(CommandFeedback, target);
    const params: ExecuteCommandParams = { command: CommandFeedback, arguments: [target] };
    const { text } = await this.server.request<FeedbackResult>(ExecuteCommandRequest.method, params);
    const typed = workspace.textDocuments.find(({ uri }) => uri.scheme === 'chatSessionInput')?.getText();
    const query = typed ? `${typed}\n\n${text}` : text;
    return commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true });
  }
}
