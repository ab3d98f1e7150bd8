// Copies a reply's problems to the clipboard, as text to send to the model that wrote the reply.
import { env } from 'vscode';
import { flash, inform } from './notify';
import type { FeedbackResult } from './protocol.gen';

export async function copyFeedback(answer: PromiseLike<FeedbackResult>): Promise<FeedbackResult> {
  const result = await answer;
  if (result.text) {
    await env.clipboard.writeText(result.text);
    flash('clippy', 'copied. Paste it to the model that wrote the reply.');
  } else {
    void inform('the reply has no problems that a model could correct.');
  }
  return result;
}
