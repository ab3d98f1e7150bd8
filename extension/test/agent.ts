// Acts as an agent of the editor: it calls language-model tools, which needs no model.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type CancellationToken, commands, LanguageModelTextPart, lm, type Tab, window, workspace } from 'vscode';
import type { ToolResult } from '../src/protocol.gen';
import { until } from './sample';

// call returns a tool's answer. R is the type of the result in the tool's schema.
export async function call<R>(
  name: string,
  input: object,
  token?: CancellationToken,
): Promise<ToolResult & { result: R }> {
  await until(() => lm.tools.some((tool) => tool.name === name));
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  const [part] = content;
  assert.ok(part instanceof LanguageModelTextPart);
  return JSON.parse(part.value);
}

// succeed calls a tool and fails the test if the tool refuses.
export async function succeed<R>(name: string, input: object): Promise<R> {
  const answer = await call<R>(name, input);
  assert.deepEqual(answer.errors, []);
  assert.equal(answer.successful, true);
  return answer.result;
}

// docPath returns the docPath of a file of the sample.
export function docPath(file: string): string {
  return `${workspace.name}/${file}`.toLowerCase();
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// showOffer opens the diff of the next offer, because an offer opens nothing by itself.
export async function showOffer(): Promise<void> {
  await until(async () => {
    await commands.executeCommand('aptix.showOffer');
    return offered()?.isActive;
  });
}

// offered returns the tab with the change that waits for an answer.
export function offered(): Tab | undefined {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.startsWith('Offered: '));
}
