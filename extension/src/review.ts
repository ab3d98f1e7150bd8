// Goes through the changes of an apply in its files. Each hunk has lenses to keep it, or to undo it alone.
import {
  CodeLens,
  type CodeLensProvider,
  type Command,
  commands,
  Disposable,
  EventEmitter,
  languages,
  MarkdownString,
  type Memento,
  Range,
  type TextDocument,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  window,
} from 'vscode';
import { type Apply, stoppedByConflicts } from './apply';
import { errorText, type Server } from './client';
import { line } from './escape';
import { fail, inform, warn } from './notify';
import { MethodReview, type Review as Reviewed, type ReviewHunk } from './protocol.gen';

const key = 'aptix.kept';

// Kept lists the hunks of an apply that the person decided to keep.
interface Kept {
  id: string;
  hunks: string[];
}

const changedLines = window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new ThemeColor('diffEditor.insertedLineBackground'),
  overviewRulerColor: new ThemeColor('minimapGutter.addedBackground'),
});

export class Review implements CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private id = ''; // the id of the apply; '' if there is no review
  private hunks: ReviewHunk[] = []; // the hunks that the person has not decided about
  private readonly subscriptions: Disposable;

  constructor(
    private readonly server: Pick<Server, 'request'>,
    private readonly apply: Apply,
    private readonly state: Memento,
  ) {
    const handlers: Record<string, (hunk?: string) => unknown> = {
      'aptix.review.last': () => this.start(''),
      'aptix.review.keep': (hunk) => this.decide(hunk, (at) => this.keep(at)),
      'aptix.review.undo': (hunk) => this.decide(hunk, (at) => this.undo(at)),
      'aptix.review.next': (hunk) => this.decide(hunk, async () => true),
      'aptix.review.previous': () => this.go(-1),
      'aptix.review.end': () => this.end(),
    };
    const run = (handler: (hunk?: string) => unknown) => async (hunk?: string) => {
      try {
        await handler(hunk);
      } catch (error) {
        void fail(errorText(error));
      }
    };
    this.subscriptions = Disposable.from(
      changedLines,
      languages.registerCodeLensProvider({ scheme: 'file' }, this),
      window.onDidChangeVisibleTextEditors(() => this.show()),
      ...Object.entries(handlers).map(([id, handler]) => commands.registerCommand(id, run(handler))),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  // start begins the review of an apply; for '', of the latest apply.
  async start(id: string): Promise<void> {
    await this.apply.done();
    const { elsewhere, ...review } = await this.ask(id);
    if (!review.id) return void inform('there is nothing to review in this workspace: no change has been applied.');
    this.id = review.id;
    await this.update();
    const [first] = this.hunks;
    if (!first) return this.finish('there is nothing to review: ', elsewhere);
    this.changed.fire();
    await commands.executeCommand('setContext', 'aptix.reviewing', true);
    if (elsewhere) void inform(`${elsewhere}.`);
    await goTo(first);
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    if (!this.touches(document)) return [];
    await this.update();
    return this.hunks.flatMap((hunk, index) => (isIn(hunk, document) ? this.lenses(hunk, index) : []));
  }

  private lenses(hunk: ReviewHunk, index: number): CodeLens[] {
    const added = hunk.end - hunk.line;
    const removed = hunk.was.split('\n').length - 1 || Number(hunk.was !== '');
    const lens = (title: string, command: string): Command => ({ title, command, arguments: [nameOf(hunk)] });
    return [
      lens('Keep', 'aptix.review.keep'),
      lens('Undo this hunk', 'aptix.review.undo'),
      lens(`${index + 1} of ${this.hunks.length}, +${added} −${removed} · Next`, 'aptix.review.next'),
    ].map((command) => new CodeLens(new Range(hunk.line, 0, hunk.line, 0), command));
  }

  // decide makes a decision about the hunk of the given name, or about the hunk at the cursor if there is no name. Then
  // it goes to the next hunk.
  private async decide(name: string | undefined, make: (hunk: ReviewHunk) => Promise<boolean>): Promise<void> {
    await this.update();
    const hunk = this.hunks.find((hunk) => (name === undefined ? isAtCursor(hunk) : nameOf(hunk) === name));
    if (hunk) {
      await goTo(hunk);
      if (!(await make(hunk))) return;
      await this.update();
      this.changed.fire();
    }
    await this.go(1);
  }

  // go moves the cursor to the next hunk or, if `step` is -1, to the previous hunk.
  private async go(step: 1 | -1): Promise<void> {
    const { activeTextEditor } = window;
    const cursor = activeTextEditor?.selection.active.line ?? 0;
    const here = this.hunks.filter((hunk) => activeTextEditor && isIn(hunk, activeTextEditor.document));
    const passed = here.filter(({ line }) => (step > 0 ? line <= cursor : line < cursor)).length;
    const first = here[0] ? this.hunks.indexOf(here[0]) : 0;
    const { length } = this.hunks;
    const next = this.hunks[(first + passed + (step > 0 ? 0 : -1) + length) % length];
    if (next) await goTo(next);
    else this.finish('the review is done: ', '');
  }

  private async keep(hunk: ReviewHunk): Promise<boolean> {
    await this.state.update(key, { id: this.id, hunks: [...this.kept(), nameOf(hunk)] } satisfies Kept);
    return true;
  }

  private async undo({ part }: ReviewHunk): Promise<boolean> {
    const result = await this.apply.revert({ id: this.id, merge: true, asked: true, part });
    const { applied, conflicts } = result;
    if (!stoppedByConflicts(result)) return applied;
    const reasons = conflicts.map(({ path, why }) => `${path}: ${why}`);
    void warn(`this hunk cannot be undone alone. ${reasons.join('; ')}.`);
    return false;
  }

  private kept(): string[] {
    const kept = this.state.get<Kept>(key);
    return kept?.id === this.id ? kept.hunks : [];
  }

  private ask(id: string): Promise<Reviewed> {
    return this.server.request<Reviewed>(MethodReview, { id });
  }

  // update finds the undecided hunks in the current files.
  private async update(): Promise<void> {
    const { id } = this;
    if (!id) return;
    const { hunks } = await this.ask(id);
    if (id !== this.id) return;
    const kept = this.kept();
    this.hunks = hunks.filter((hunk) => !kept.includes(nameOf(hunk)));
    this.show();
  }

  private show(): void {
    for (const editor of window.visibleTextEditors) {
      const inEditor = this.hunks.filter((hunk) => isIn(hunk, editor.document) && hunk.end > hunk.line);
      editor.setDecorations(
        changedLines,
        inEditor.map((hunk) => ({ range: new Range(hunk.line, 0, hunk.end - 1, 0), hoverMessage: before(hunk) })),
      );
    }
  }

  private touches(document: TextDocument): boolean {
    return this.id !== '' && this.hunks.some((hunk) => isIn(hunk, document));
  }

  private finish(why: string, elsewhere: string): void {
    void inform(`${why}nothing is left to keep or undo.${elsewhere ? ` ${elsewhere}.` : ''}`);
    this.end();
  }

  private end(): void {
    this.id = '';
    this.hunks = [];
    this.show();
    this.changed.fire();
    void commands.executeCommand('setContext', 'aptix.reviewing', false);
  }
}

async function goTo({ uri, line }: ReviewHunk): Promise<void> {
  const at = new Range(line, 0, line, 0);
  const editor = await window.showTextDocument(Uri.parse(uri), { selection: at, preview: false });
  editor.revealRange(at, TextEditorRevealType.InCenterIfOutsideViewport);
}

function isAtCursor(hunk: ReviewHunk): boolean {
  const { activeTextEditor } = window;
  if (!activeTextEditor || !isIn(hunk, activeTextEditor.document)) return false;
  const { line } = activeTextEditor.selection.active;
  return hunk.line <= line && line < Math.max(hunk.end, hunk.line + 1);
}

function nameOf({ part }: ReviewHunk): string {
  return `${part.hunk} ${part.path}`;
}

function isIn({ uri }: ReviewHunk, document: TextDocument): boolean {
  return Uri.parse(uri).toString() === document.uri.toString();
}

function before({ was }: ReviewHunk): MarkdownString {
  if (!was) return new MarkdownString('These lines are new.');
  const lines = was.split('\n').map(line).join('\n');
  return new MarkdownString('Before the change:').appendCodeblock(lines);
}
