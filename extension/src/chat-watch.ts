// Shows in the status bar that an answer in the chat has edits, while it streams and when it is complete.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConfigurationTarget,
  Disposable,
  type Event,
  type LogOutputChannel,
  type Memento,
  StatusBarAlignment,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import type { ChatAnswers } from './chat-answer';
import type { ChatSession } from './chat-session';
import { errorText, type Server } from './client';
import { flash, inform } from './notify';
import { type ChatAnswer, MethodChatAnswer } from './protocol.gen';

const shortest = 500; // milliseconds between two reads
const share = 20; // a pause is at least this many times as long as a read, which writes the whole session
const patience = 5; // reads that may still find the answer to the previous message

export class ChatWatch implements Disposable {
  private readonly item = window.createStatusBarItem('aptix.chat', StatusBarAlignment.Left);
  private readonly subscriptions = Disposable.from(
    this.item,
    workspace.onDidChangeTextDocument(({ document }) => this.follow(document)),
    workspace.onDidChangeConfiguration(() => enabled() || this.item.hide()),
  );
  private typed = false;
  private sent = 0; // messages that were sent while the chat was watched
  private watching = false;
  private seen = ''; // the id of the last complete answer that was shown

  constructor(
    private readonly server: Server,
    private readonly session: ChatSession,
    private readonly answers: ChatAnswers,
    private readonly output: LogOutputChannel,
  ) {
    this.item.name = 'Aptix: Chat Answer';
    this.item.command = 'aptix.chat.preview';
  }

  dispose(): void {
    this.watching = false;
    this.subscriptions.dispose();
  }

  // follow notices that a message was sent: the input of the chat is a document, which becomes empty when a message is
  // sent.
  private follow(document: TextDocument): void {
    if (document.uri.scheme !== 'chatSessionInput') return;
    const typed = document.getText() !== '';
    if (this.typed && !typed && enabled()) {
      this.sent++;
      this.item.hide();
      if (!this.watching) void this.watch();
    }
    this.typed = typed;
  }

  private async watch(): Promise<void> {
    this.watching = true;
    try {
      for (let wait = shortest, old = 0; old < patience; ) {
        const { sent } = this;
        await delay(wait);
        await focus();
        if (!this.watching || !enabled()) return;
        const began = Date.now();
        const answer = await this.read();
        if (!answer) return;
        const isOld = answer.id === this.seen;
        const ended = !isOld && this.show(answer);
        if (ended && answer.state === 'complete' && answer.blocks > 0) void this.answers.list(answer.text);
        if (sent !== this.sent)
          old = 0; // a message was sent meanwhile, and its answer might not have been there yet
        else if (ended) return;
        else if (isOld) old++;
        wait = Math.max(shortest, share * (Date.now() - began));
      }
    } catch (error) {
      this.output.error(`the chat is not watched: ${errorText(error)}`);
    } finally {
      this.watching = false;
    }
  }

  private async read(): Promise<ChatAnswer | undefined> {
    const json = await this.session.export();
    return json === undefined ? undefined : this.server.request<ChatAnswer>(MethodChatAnswer, { json });
  }

  // show shows the state of an answer, and reports whether the answer is complete.
  private show({ id, state, blocks }: ChatAnswer): boolean {
    const complete = state !== 'streaming';
    const noun = blocks === 1 ? 'block' : 'blocks';
    this.item.text = complete ? `$(diff-multiple) Preview ${blocks} Aptix ${noun}` : `Aptix: ${blocks} ${noun}…`;
    if (blocks > 0) this.item.show();
    else this.item.hide();
    if (complete) this.seen = id;
    return complete;
  }
}

// offerToWatch asks the person, only once, whether to watch the chat.
export async function offerToWatch(memento: Memento): Promise<void> {
  const asked = 'aptix.chat.asked';
  if (enabled() || memento.get(asked)) return;
  await memento.update(asked, true);
  const choice = await inform('the status bar can show when a chat answer has edits.', 'Watch Chat', 'No');
  if (choice !== 'Watch Chat') return;
  await workspace.getConfiguration('aptix').update('chat.watch', true, ConfigurationTarget.Global);
  flash('eye', 'the chat is watched, starting with the next message.');
}

function enabled(): boolean {
  return workspace.getConfiguration('aptix').get('chat.watch') === true;
}

// focus waits until the window has the focus.
async function focus(): Promise<void> {
  while (!window.state.focused) await once(window.onDidChangeWindowState);
}

function once<T>(event: Event<T>): Promise<T> {
  return new Promise((resolve) => {
    const listener = event((value) => {
      listener.dispose();
      resolve(value);
    });
  });
}
