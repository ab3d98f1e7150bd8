// All notifications and dialogs. Only this file calls VS Code's functions for them, so every text is escaped.
import { type CancellationToken, window } from 'vscode';
import { label, message } from './escape';

const shown = 10_000; // milliseconds for which a message stays in the status bar

export type Notify = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

export const inform: Notify = (text, ...buttons) => window.showInformationMessage(ours(text), ...buttons);
export const warn: Notify = (text, ...buttons) => window.showWarningMessage(ours(text), ...buttons);
export const fail: Notify = (text, ...buttons) => window.showErrorMessage(ours(text), ...buttons);

// ask shows a modal dialog.
export function ask(question: string, detail: string, ...buttons: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(message(question), { modal: true, detail: message(detail) }, ...buttons);
}

// pick shows a list to choose from, which stays open when the person clicks elsewhere. It returns the index of the
// chosen item.
export async function pick(question: string, items: string[], token?: CancellationToken): Promise<number | undefined> {
  const choices = items.map((item, index) => ({ label: label(item), index }));
  const options = { title: 'Aptix', placeHolder: message(question), ignoreFocusOut: true };
  return (await window.showQuickPick(choices, options, token))?.index;
}

// A Choice is a row of pickMany.
export interface Choice {
  text: string;
  detail: string;
  picked: boolean;
}

// pickMany shows a list with check boxes. It returns whether each row is picked, or undefined if the person cancels.
export async function pickMany(question: string, choices: Choice[]): Promise<boolean[] | undefined> {
  const rows = choices.map(({ text, detail, picked }) => ({ label: label(text), description: label(detail), picked }));
  const options = { title: 'Aptix', placeHolder: message(question), canPickMany: true, ignoreFocusOut: true } as const;
  const picked = await window.showQuickPick(rows, options);
  return picked && rows.map((row) => picked.includes(row));
}

// enter asks for a text. It returns undefined if the person cancels.
export function enter(prompt: string, value: string): Thenable<string | undefined> {
  return window.showInputBox({ title: 'Aptix', prompt, value });
}

// flash shows an icon and a text in the status bar for some seconds.
export function flash(icon: string, text: string): void {
  window.setStatusBarMessage(`$(${icon}) ${label(ours(text))}`, shown);
}

function ours(text: string): string {
  return `Aptix: ${message(text)}`;
}
