// An agent of the editor: it calls language-model tools, and no model is needed for that.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type CancellationToken, commands, LanguageModelTextPart, lm, type Tab, window, workspace } from 'vscode';
import type { ToolResult } from '../src/protocol.gen';
import { until } from './sample';

// call gives a tool's answer, whose result R is as the tool's schema says.
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

// succeed is call where the tool has to do it.
export async function succeed<R>(name: string, input: object): Promise<R> {
  const answer = await call<R>(name, input);
  assert.deepEqual(answer.errors, []);
  assert.equal(answer.successful, true);
  return answer.result;
}

// docPath is the key of a file of the sample.
export function docPath(file: string): string {
  return `${workspace.name}/${file}`.toLowerCase();
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// showOffer opens the diff of the offer that comes; by itself an offer opens nothing.
export async function showOffer(): Promise<void> {
  await until(async () => {
    await commands.executeCommand('aptix.showOffer');
    return offered()?.isActive;
  });
}

// offered is the tab of the change that waits for an answer.
export function offered(): Tab | undefined {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.startsWith('Offered: '));
}
