// Ticks the steps of the walkthrough "Apply your first reply" that the person has done, whether by a button, a lens or
// a key.
import { commands } from 'vscode';

type Step = 'preview' | 'apply' | 'undo' | 'fix' | 'chat';

export function did(step: Step): void {
  void commands.executeCommand('setContext', `aptix.did.${step}`, true);
}
