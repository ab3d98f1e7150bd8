// The language server's process: how it starts, and what happens when it ends by itself.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type CancellationToken, type LogOutputChannel, workspace } from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
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

// After more crashes than this within crashWindow milliseconds the server is not restarted.
const maxCrashes = 4;
const crashWindow = 3 * 60 * 1000;

// A program that is no language server never answers. Whatever follows its start waits for it so many milliseconds.
const startTime = 5000;

const lastWords = 40; // lines of standard error that are shown after a crash

// Handlers are what the shell does with messages of the server.
export interface Handlers {
  middleware: Middleware;
  status(status: Status): void;
  // The history changed, or another server process has it now.
  historyChanged(): void;
  // A person asked for a change and has to agree to it.
  question(params: QuestionParams): Promise<QuestionResult>;
  // An agent wants to change files. The token is cancelled when it stops waiting.
  offer(params: OfferParams, token: CancellationToken): Promise<OfferResult>;
  // An agent previews a change without asking.
  show(preview: PreviewResult): void;
  // An agent changed files.
  agentChange(change: AgentChange): void;
  // Whether the server runs and knows the open documents.
  running(runs: boolean): void;
}

type Sent = string | MessageSignature;

// Those of replies. The files of a vscode-vfs folder are on no disk: the server says so.
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

  // restart makes a new client: one that has failed to start never starts again.
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

  // inTurn has a start or stop wait for the one before, as a client that still starts cannot be stopped, and two that run
  // are in each other's way.
  private inTurn(act: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(act);
    return this.turn;
  }

  private async launch(): Promise<void> {
    const { client } = this;
    const failed = (error: unknown) => {
      if (client !== this.client) return; // it was given up
      void offerRestart(`the server does not start: ${errorText(error)}`, this.output, () => this.restart());
    };
    await Promise.race([client.start().catch(failed), delay(startTime)]);
  }

  // quit also waits for a client that starts by itself, after a crash.
  private async quit(): Promise<void> {
    const { client } = this;
    if (client.state === State.Starting) await Promise.race([client.start().catch(() => {}), delay(startTime)]);
    if (client.needsStop()) await client.stop().catch(() => {}); // the client logs why not, and ends the process
  }

  request<R>(method: string, params: unknown, token?: CancellationToken): Promise<R> {
    // An undefined token would be a second parameter.
    return token ? this.client.sendRequest<R>(method, params, token) : this.client.sendRequest<R>(method, params);
  }

  // notify drops the message while no server runs.
  async notify(method: string, params: unknown): Promise<void> {
    if (this.client.isRunning()) await this.client.sendNotification(method, params);
  }

  private create(): LanguageClient {
    const client: LanguageClient = new Client(this.program, {
      // Every language: open documents are the truth about the files that a reply changes.
      documentSelector: schemes.map((scheme) => ({ scheme })),
      // VS Code opens each document that an edit touches, and its hovers have the problems at the place.
      initializationOptions: {
        ...{ trusted: workspace.isTrusted, opensTouched: true, documents: true, schemas: true, offers: true },
        hoverProblems: true,
      },
      synchronize: { configurationSection: 'aptix' }, // the server then asks for the settings again
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
    client.onRequest(ShowMessageRequest.method, choose); // in place of the client's own
    client.onRequest(MethodOffer, this.handlers.offer);
    client.onNotification(MethodAgentChange, this.handlers.agentChange);
    client.onNotification(MethodShow, this.handlers.show);
    return client;
  }

  // The log also comes as window/logMessage. Only the last words of a crash are on standard error alone.
  private listen(input: Readable): void {
    createInterface({ input }).on('line', (line) => {
      this.output.debug(line);
      this.stderr.push(line);
      if (this.stderr.length > lastWords) this.stderr.shift();
    });
  }
}

// A client asks for the program at each start, also at one after a crash: it may have to be unpacked.
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

// vscode-languageclient 11.0.0 awaits once less before these notifications than before others, so they overtake a
// didChange: a document that changes and closes at once, as in an undo, would change after it closed.
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

// serverStopped is whether a request has no answer because the server stopped, or was restarted.
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

// gone is what becomes of a client that another has replaced.
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
