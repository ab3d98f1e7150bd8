// Asks the person about changes that agents want to make. A message and the status bar announce a change without taking
// the focus, and a click opens the diff.

import { setTimeout as delay } from 'node:timers/promises';
import { type CancellationToken, commands, Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { errorText, type Server } from './client';
import { label } from './escape';
import { MultiDiff, showChanges } from './multi-diff';
import { fail, inform, warn } from './notify';
import { chooseParts, clickFirst, placeInPreview } from './preview';
import {
  MethodOfferParts,
  type OfferParams,
  type OfferPartsParams,
  type OfferResult,
  type PreviewResult,
} from './protocol.gen';

const pause = 1000; // milliseconds between two questions, so that a double click answers only one

class Offer {
  open = true;
  changed: Promise<unknown> = Promise.resolve(); // resolves when the person's choice of parts has taken effect
  readonly answered: Promise<boolean>;
  private resolve: (accepted: boolean) => void = () => {};

  constructor(public params: OfferParams) {
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  // answer gives the person's answer. Only the first answer is used.
  answer(accepted: boolean): void {
    this.open = false;
    void this.changed.then(() => this.resolve(accepted));
  }

  get agent(): string {
    return this.params.agent || 'An agent';
  }
}

export class Offers implements Disposable {
  private readonly diff = new MultiDiff<Offer>('aptix.offer');
  private readonly waiting = new Set<Offer>();
  private current: Offer | undefined;
  private last: Promise<unknown> = Promise.resolve();
  // A notification hides after some seconds, and the person can close the diff. This item stays until the person
  // answers.
  private readonly item = window.createStatusBarItem('aptix.offer', StatusBarAlignment.Left);
  private readonly subscriptions = Disposable.from(
    this.diff,
    this.item,
    commands.registerCommand('aptix.applyOffer', () => this.diff.active?.answer(true)),
    commands.registerCommand('aptix.discardOffer', () => this.diff.active?.answer(false)),
    commands.registerCommand('aptix.showOffer', () => this.current && this.show(this.current)),
  );

  constructor(private readonly server: Pick<Server, 'request'>) {
    this.item.name = 'Aptix: Offered Change';
    this.item.command = 'aptix.showOffer';
    this.item.tooltip = 'Show the change, to apply or discard it';
    this.item.backgroundColor = new ThemeColor('statusBarItem.warningBackground');
  }

  dispose(): void {
    this.withdraw();
    this.subscriptions.dispose();
  }

  // ask handles aptix/offer. If several agents offer changes at the same time, the person is asked about one change
  // after another.
  async ask(params: OfferParams, token: CancellationToken): Promise<OfferResult> {
    const offer = new Offer(params);
    const cancelled = token.onCancellationRequested(() => offer.answer(false));
    this.waiting.add(offer);
    this.showItem();
    this.last = this.last.then(() => this.put(offer));
    try {
      return { accepted: await offer.answered };
    } finally {
      this.waiting.delete(offer);
      this.showItem();
      cancelled.dispose();
    }
  }

  // withdraw ends all offers after their server has exited.
  withdraw(): void {
    for (const offer of this.waiting) offer.answer(false);
  }

  // put asks the person about an offer, and waits until it is answered.
  private async put(offer: Offer): Promise<void> {
    if (!offer.open) return;
    this.setCurrent(offer);
    let told = false;
    const { files, message } = offer.params.preview;
    void (files.length > 0 ? this.notify(offer) : this.askAgain(offer, message)).then(() => {
      told = true;
    });
    await offer.answered;
    this.setCurrent(undefined);
    if (!told) await commands.executeCommand('notifications.hideToasts'); // hides all messages, because a single message cannot be hidden
    await this.diff.close();
    await delay(pause);
  }

  private setCurrent(offer: Offer | undefined): void {
    this.current = offer;
    void commands.executeCommand('setContext', 'aptix.offers', offer !== undefined);
    this.showItem();
  }

  private showItem(): void {
    const { current, waiting } = this;
    const more = waiting.size > 1 ? `, ${waiting.size - 1} more` : '';
    if (current) this.item.text = `$(question) ${label(current.agent)} offers a change${more}`;
    if (current) this.item.show();
    else this.item.hide();
  }

  private async notify(offer: Offer): Promise<void> {
    const choice = await inform(offer.params.question, 'Show', 'Apply', 'Discard');
    if (choice && !offer.open) void warn(`${offer.agent} no longer waits for an answer.`);
    else if (choice === 'Show') await this.show(offer);
    else if (choice) offer.answer(choice === 'Apply');
  }

  get active(): boolean {
    return this.diff.active !== undefined;
  }

  // skip leaves the hunk at the cursor, or its whole file, out of the offer.
  async skip(file: boolean): Promise<unknown> {
    const place = placeInPreview();
    return this.diff.about && place ? this.change(this.diff.about, { ...place, file }) : inform(clickFirst);
  }

  // choose shows all parts of the offer in one list, in which the person can skip and include them.
  async choose(offer = this.diff.about): Promise<unknown> {
    const changes = offer && (await chooseParts(offer.params.blocks, ''));
    return offer && changes && this.change(offer, { changes });
  }

  private async change(offer: Offer, choice: Partial<OfferPartsParams>): Promise<void> {
    const { token } = offer.params;
    if (!token) return void inform('this change can only be made as a whole.');
    const params: OfferPartsParams = { token, document: '', line: 0, file: false, changes: [], ...choice };
    const changing = this.server.request<OfferParams>(MethodOfferParts, params);
    offer.changed = changing.catch(() => {});
    try {
      offer.params = await changing;
    } catch (error) {
      return void fail(`the parts of the change cannot be skipped or included: ${errorText(error)}`);
    }
    if (!offer.open) return;
    const { files, message } = offer.params.preview;
    if (files.length === 0) {
      await this.diff.close();
      return this.askAgain(offer, message);
    }
    if (message) void inform(`${message}.`);
    else await this.show(offer);
  }

  // askAgain offers two buttons to a person who has left out the whole change: to choose its parts again, or to discard
  // it.
  private async askAgain(offer: Offer, message: string): Promise<void> {
    const choice = await inform(`${message}.`, 'Choose Files and Hunks…', 'Discard');
    if (choice === 'Discard') offer.answer(false);
    else if (choice) await this.choose(offer);
  }

  private async show(offer: Offer): Promise<void> {
    const { preview } = offer.params;
    if (preview.files.length === 0) return void this.askAgain(offer, preview.message);
    try {
      await this.diff.show({ ...preview, title: `Offered: ${preview.title}` }, offer);
    } catch (error) {
      void fail(`the change cannot be shown: ${errorText(error)}`);
    }
  }
}

// offerToShow shows a message about a change that an agent only previews.
export async function offerToShow(preview: PreviewResult): Promise<void> {
  const choice = await inform('an agent shows a change that it wants to make.', 'Show');
  if (choice) await showChanges({ ...preview, title: `Shown: ${preview.title}` });
}
