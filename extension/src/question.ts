// Asks a person before a change: shows a dialog with the files and the reasons for the question, or a list of folders.
import type { CancellationToken } from 'vscode';
import type { MessageActionItem, ShowMessageRequestParams } from 'vscode-languageclient/node';
import { line } from './escape';
import { ask, pick } from './notify';
import type { File, QuestionParams } from './protocol.gen';

const named = 10; // most items that a list shows

const preview = 'Preview';

// An Answer is undefined if the dialog was cancelled.
export type Answer = 'accept' | 'preview' | undefined;

// put asks the person about a change. If canPreview is true, the person can also choose to preview it.
export async function put(params: QuestionParams, canPreview: boolean): Promise<Answer> {
  const choice = await ask(params.title, detail(params), params.button, ...(canPreview ? [preview] : []));
  if (choice === params.button) return 'accept';
  return choice === preview ? 'preview' : undefined;
}

// choose handles window/showMessageRequest with a dialog. A notification would hide after some seconds, although the
// change still waits.
export async function choose(
  { message, actions = [] }: ShowMessageRequestParams,
  token: CancellationToken,
): Promise<MessageActionItem | null> {
  const titles = actions.map(({ title }) => title);
  return actions[(await pick(message, titles, token)) ?? -1] ?? null;
}

function detail({ files, reasons }: QuestionParams): string {
  const parts = [list(files.map(fileText))];
  if (reasons.length > 0) parts.push(`Look at this first:\n${list(reasons)}`);
  return parts.join('\n\n');
}

const marks: Partial<Record<File['operation'], string>> = { create: ' (new)', delete: ' (deleted)' };

export function fileText({ path, to, operation, added, removed }: File): string {
  return `${to ? `${path} → ${to}` : path}${marks[operation] ?? ''} +${added} −${removed}`;
}

export function list(items: string[]): string {
  const more = items.length - named;
  const shown = items.slice(0, more > 1 ? named : items.length); // "and 1 more" would need as much space as the item
  return [...shown, ...(items.length > shown.length ? [`and ${more} more`] : [])]
    .map((item) => `• ${line(item)}`)
    .join('\n');
}
