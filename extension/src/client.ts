// The process of the language server: its start, and the reaction if it ends by itself.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type CancellationToken, type LogOutputChannel, type TextDocument, workspace } from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
  CodeLensRequest,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ErrorAction,
  ErrorCodes,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type MessageSignature,
  type MessageTransports,
  type Middleware,
  ResponseError,
  RevealOutputChannelOn,
  ShowMessageRequest,
  State,
} from 'vscode-languageclient/node';
import { documents } from './documents';
import { fail, warn } from './notify';
import type { Program } from './program';
import {
  type AgentChange,
  ChatScheme,
  MethodAgentChange,
  MethodDocuments,
  MethodHistoryChanged,
  MethodOffer,
  MethodQuestion,
  MethodShow,
  MethodStatus,
  type OfferParams,
  type OfferResult,
  type PreviewResult,
  type QuestionParams,
  type QuestionResult,
  type Status,
} from './protocol.gen';
import { choose } from './question';

// With more crashes than this within crashWindow milliseconds, the server is not restarted.
const maxCrashes = 4;
const crashWindow = 3 * 60 * 1000;

// How long later steps wait for the server to start, in milliseconds. A program that is not a language server would
// never respond.
const startTime = 5000;

const lastWords = 40; // lines of standard error to show after a crash

// Handlers has the functions that handle messages from the server.
export interface Handlers {
  middleware: Middleware;
  status(status: Status): void;
  // Called when the history has changed, or when another process of the server has started.
  historyChanged(): void;
  // Called when a person requested a change and must agree to it.
  question(params: QuestionParams): Promise<QuestionResult>;
  // Called when an agent wants to change files. The token is cancelled if the agent stops waiting.
  offer(params: OfferParams, token: CancellationToken): Promise<OfferResult>;
  // Called when an agent shows a preview without a question.
  show(preview: PreviewResult): void;
  agentChange(change: AgentChange): void;
  running(runs: boolean): void;
}

type Sent = string | MessageSignature;

// The schemes of documents that may be replies. The server cannot change files in a vscode-vfs folder, which are not on
// a disk, but it tells the person so.
const schemes = ['file', 'untitled', 'vscode-notebook-cell', 'vscode-vfs', ChatScheme];

export class Server {
  private client: LanguageClient;
  private turn: Promise<void> = Promise.resolve();
  private readonly stderr: string[] = [];
  private readonly crashes: CrashHandler;

  constructor(
    private readonly program: Program,
    private readonly output: LogOutputChannel,
    private readonly handlers: Handlers,
  ) {
    this.crashes = new CrashHandler(output, this.stderr, () => this.restart());
    this.client = this.create();
  }

  start(): Promise<void> {
    return this.inTurn(() => this.launch());
  }

  // restart starts a new client, because a client that failed to start never starts again.
  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.quit();
      this.client = this.create();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.quit());
  }

  // inTurn makes each start or stop wait for the previous one, because a client that is starting cannot be stopped, and
  // two running clients would disturb each other.
  private inTurn(act: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(act);
    return this.turn;
  }

  private async launch(): Promise<void> {
    const { client } = this;
    const failed = (error: unknown) => {
      if (client !== this.client) return; // another client has replaced this one
      void offerRestart(`the server does not start: ${errorText(error)}`, this.output, () => this.restart());
    };
    await Promise.race([client.start().catch(failed), delay(startTime)]);
  }

  // quit stops the client. If the client is restarting after a crash, quit first waits for the start.
  private async quit(): Promise<void> {
    const { client } = this;
    if (client.state === State.Starting) await Promise.race([client.start().catch(() => {}), delay(startTime)]);
    if (client.needsStop()) await client.stop().catch(() => {}); // the client logs the reason, and ends the process
  }

  request<R>(method: string, params: unknown, token?: CancellationToken): Promise<R> {
    // Without this condition, an undefined token would count as a second parameter.
    return token ? this.client.sendRequest<R>(method, params, token) : this.client.sendRequest<R>(method, params);
  }

  // notify sends a notification if a server is running.
  async notify(method: string, params: unknown): Promise<void> {
    if (this.client.isRunning()) await this.client.sendNotification(method, params);
  }

  // refreshLenses makes VS Code request the code lenses of a document. VS Code does not request them if the editor
  // loses the focus within 250 ms after it opens.
  refreshLenses(document: TextDocument): void {
    const provider = this.client.getFeature(CodeLensRequest.method).getProvider(document);
    provider?.onDidChangeCodeLensEmitter.fire();
  }

  private create(): LanguageClient {
    const client: LanguageClient = new Client(this.program, {
      // All languages: the server needs the text of every open file that a reply may change.
      documentSelector: schemes.map((scheme) => ({ scheme })),
      // opensTouched: VS Code opens each document that an edit changes. hoverProblems: VS Code's own hovers show the
      // problems.
      initializationOptions: {
        ...{ trusted: workspace.isTrusted, opensTouched: true, documents: true, schemas: true, offers: true },
        hoverProblems: true,
      },
      synchronize: { configurationSection: 'aptix' }, // makes the server request the settings again
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: this.crashes.error,
        closed: () => (client === this.client ? this.crashes.closed() : gone),
      },
      middleware: { ...this.handlers.middleware, sendNotification },
      stdioOptions: { stdout: () => {}, stderr: (input) => this.listen(input) },
    });
    client.onNotification(MethodStatus, this.handlers.status);
    client.onNotification(MethodHistoryChanged, this.handlers.historyChanged);
    client.onDidChangeState(({ newState }) => newState !== State.Starting && this.handlers.historyChanged());
    client.onDidChangeState(({ newState }) => this.handlers.running(newState === State.Running));
    client.onRequest(MethodDocuments, documents);
    client.onRequest(MethodQuestion, this.handlers.question);
    client.onRequest(ShowMessageRequest.method, choose); // replaces the client's own handler
    client.onRequest(MethodOffer, this.handlers.offer);
    client.onNotification(MethodAgentChange, this.handlers.agentChange);
    client.onNotification(MethodShow, this.handlers.show);
    return client;
  }

  // listen reads standard error, because its last lines explain a crash. It logs each line only as debug output,
  // because the server also sends the line as window/logMessage.
  private listen(input: Readable): void {
    createInterface({ input }).on('line', (line) => {
      this.output.debug(line);
      this.stderr.push(line);
      if (this.stderr.length > lastWords) this.stderr.shift();
    });
  }
}

// A Client finds the program's path at each start, even after a crash, because the program may have to be unpacked.
class Client extends LanguageClient {
  constructor(
    private readonly program: Program,
    options: LanguageClientOptions,
    private readonly executable = { command: '', args: ['lsp'] },
  ) {
    super('aptix', 'Aptix', executable, options);
  }

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    this.executable.command = await this.program.path();
    return super.createMessageTransports(encoding);
  }
}

// vscode-languageclient 11.0.0 waits less before these notifications than before others. If a document changes and
// closes immediately, for example in an undo, the didChange would otherwise arrive after the didClose.
const hasty = new Set<string>([DidOpenTextDocumentNotification.method, DidCloseTextDocumentNotification.method]);

async function sendNotification<P>(
  type: Sent,
  next: (type: Sent, params?: P) => Promise<void>,
  params: P,
): Promise<void> {
  const method = typeof type === 'string' ? type : type.method;
  if (hasty.has(method)) await undefined;
  return next(type, params);
}

// serverStopped reports whether a request failed because the server stopped or was restarted.
export function serverStopped(error: unknown): boolean {
  const codes: number[] = [ErrorCodes.PendingResponseRejected, ErrorCodes.ConnectionInactive];
  return error instanceof ResponseError && codes.includes(error.code);
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function offerRestart(text: string, output: LogOutputChannel, again: () => Promise<void>): Promise<void> {
  const choice = await fail(text, 'Show Output', 'Restart');
  if (choice === 'Show Output') output.show();
  if (choice === 'Restart') await again();
}

// gone tells a client not to restart after another client has replaced it.
const gone: CloseHandlerResult = { action: CloseAction.DoNotRestart, handled: true };

export class CrashHandler implements ErrorHandler {
  private crashes: number[] = [];

  constructor(
    private readonly output: LogOutputChannel,
    private readonly stderr: string[],
    private readonly again: () => Promise<void>,
  ) {}

  error() {
    return { action: ErrorAction.Continue, handled: true };
  }

  closed(): CloseHandlerResult {
    for (const line of this.stderr.splice(0)) this.output.error(line);
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < crashWindow), now];
    return this.crashes.length > maxCrashes ? this.giveUp() : this.startAgain();
  }

  private startAgain(): CloseHandlerResult {
    void warn('the server stopped unexpectedly and was restarted.', 'Show Output').then(
      (choice) => choice && this.output.show(),
    );
    return { action: CloseAction.Restart, handled: true };
  }

  private giveUp(): CloseHandlerResult {
    this.crashes = [];
    void offerRestart(
      `the server stopped ${maxCrashes + 1} times within three minutes and is not started again.`,
      this.output,
      this.again,
    );
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}
