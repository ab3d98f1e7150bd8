// A reply's problems as a text for the model that wrote it, in the clipboard.
import { env, window } from 'vscode';
import type { FeedbackResult } from './protocol.gen';

const shown = 10_000; // milliseconds that a message is in the status bar

export async function copyFeedback(answer: PromiseLike<FeedbackResult>): Promise<FeedbackResult> {
  const result = await answer;
  if (result.text) {
    await env.clipboard.writeText(result.text);
    window.setStatusBarMessage('$(clippy) Aptix: copied. Paste it to the model that wrote the reply.', shown);
  } else {
    void window.showInformationMessage('Aptix: the reply has no problems.');
  }
  return result;
}
