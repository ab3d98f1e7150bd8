// The participant @aptix sends prompts to the model that the person chose. The server writes the prompts and checks the
// answers.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  ChatRequestTurn,
  type ChatResponseStream,
  type ChatResponseTurn,
  type ChatResult,
  chat,
  type Disposable,
  LanguageModelChatMessage,
  Location,
  StatusBarAlignment,
  Uri,
  window,
} from 'vscode';
import type { ChatSession } from './chat-session';
import { errorText, type Server } from './client';
import { label, message } from './escape';
import {
  type ChatAsk,
  type ChatCheck,
  type ChatDraft,
  type ChatMessage,
  type ChatPrompt,
  MethodChatCheck,
  MethodChatPrompt,
} from './protocol.gen';

const shortest = 300; // milliseconds between two checks of an arriving answer
const share = 20; // a pause lasts at least this many times as long as the check

export class ChatParticipant implements Disposable {
  private readonly item = window.createStatusBarItem('aptix.chat.draft', StatusBarAlignment.Left);
  private readonly participant = chat.createChatParticipant('aptix.edits', (request, context, stream, token) =>
    this.answer(request, context, stream, token),
  );
  private answering = 0;
  private arrived = '';
  private checking = false;

  constructor(
    private readonly server: Server,
    private readonly session: ChatSession,
    icon: Uri,
  ) {
    this.item.name = 'Aptix: Answer from @aptix';
    this.participant.iconPath = icon;
  }

  dispose(): void {
    this.participant.dispose();
    this.item.dispose();
  }

  private async answer(
    request: ChatRequest,
    context: ChatContext,
    stream: ChatResponseStream,
    token: CancellationToken,
  ): Promise<ChatResult> {
    const ask = await this.ask(request, context);
    const prompt = await this.server.request<ChatPrompt>(MethodChatPrompt, ask, token);
    for (const uri of prompt.files) stream.reference(Uri.parse(uri));
    if (prompt.note) stream.markdown(`${prompt.note}\n\n`);
    if (prompt.answer) return offer(prompt.answer, stream);
    return prompt.messages.length > 0 ? this.converse(prompt.messages, request, stream, token) : {};
  }

  private async ask({ command, prompt, references, model }: ChatRequest, { history }: ChatContext): Promise<ChatAsk> {
    const json = command === 'fix' ? await this.session.export() : undefined;
    const earlier = history.flatMap((turn) => (turn instanceof ChatRequestTurn ? turn.references : []));
    const named = [...references, ...earlier].flatMap(({ value }) => uriOf(value) ?? []);
    const shown = window.visibleTextEditors.map(({ document }) => document.uri);
    return {
      command: command ?? '',
      prompt,
      history: history.map(said).filter(({ text }) => text),
      files: [...named, ...shown].map((uri) => uri.toString()),
      maxInputTokens: model.maxInputTokens,
      session: { json: json ?? '' },
    };
  }

  private async converse(
    asked: ChatMessage[],
    { model }: ChatRequest,
    stream: ChatResponseStream,
    token: CancellationToken,
  ): Promise<ChatResult> {
    let text = '';
    this.answering++;
    try {
      for (let repairs = 0, messages = asked; ; repairs++) {
        text = '';
        const response = await model.sendRequest(messages.map(sent), {}, token);
        for await (const part of response.text) {
          text += part;
          stream.markdown(part);
          void this.follow(text);
        }
        const { blocks, note, open, feedback } = await this.check({ text, complete: true, repairs });
        if (blocks === 0 || token.isCancellationRequested) return result(text);
        // If the answer ends inside a block, the chat would show the note as part of the block. It shows text after a
        // progress message separately.
        if (open) stream.progress('Checked');
        stream.markdown(`\n\n${note}`);
        if (!feedback) return offer(text, stream);
        stream.progress('Correcting the answer');
        messages = [...asked, { role: 'assistant', text }, { role: 'user', text: feedback }];
      }
    } catch (error) {
      if (token.isCancellationRequested) return result(text);
      return { ...result(text), errorDetails: { message: message(errorText(error)) } };
    } finally {
      if (--this.answering === 0) this.item.hide();
    }
  }

  private check(draft: ChatDraft): Promise<ChatCheck> {
    return this.server.request<ChatCheck>(MethodChatCheck, draft);
  }

  // follow checks an answer while it arrives, and shows its problems. Text that arrives during a check is checked the
  // next time.
  private async follow(text: string): Promise<void> {
    this.arrived = text;
    if (this.checking) return;
    this.checking = true;
    for (let checked = ''; this.answering > 0 && checked !== this.arrived; ) {
      checked = this.arrived;
      const began = Date.now();
      await this.show(checked);
      await delay(Math.max(shortest, share * (Date.now() - began)));
    }
    this.checking = false;
  }

  private async show(text: string): Promise<void> {
    try {
      const { status } = await this.check({ text, complete: false, repairs: 0 });
      if (!status || this.answering === 0) return;
      this.item.text = `Aptix: ${label(status)}`;
      this.item.show();
    } catch {
      // Ignore errors, because the check of the whole answer reports them.
    }
  }
}

// offer ends an answer with its buttons. The metadata have only the text of the model, because the chat also shows
// notes by Aptix.
function offer(text: string, stream: ChatResponseStream): ChatResult {
  stream.button({ command: 'aptix.chat.preview', title: 'Preview', arguments: [text] });
  stream.button({ command: 'aptix.chat.apply', title: 'Apply', arguments: [text] });
  return result(text);
}

interface Metadata {
  aptix?: { answer: string };
}

function result(answer: string): ChatResult {
  return { metadata: { aptix: { answer } } satisfies Metadata };
}

function said(turn: ChatRequestTurn | ChatResponseTurn): ChatMessage {
  if (turn instanceof ChatRequestTurn) return { role: 'user', text: turn.prompt };
  const metadata: Metadata | undefined = turn.result.metadata;
  return { role: 'assistant', text: metadata?.aptix?.answer ?? '' };
}

function sent({ role, text }: ChatMessage): LanguageModelChatMessage {
  return role === 'user' ? LanguageModelChatMessage.User(text) : LanguageModelChatMessage.Assistant(text);
}

function uriOf(value: unknown): Uri | undefined {
  if (value instanceof Location) return value.uri;
  return value instanceof Uri ? value : undefined;
}
