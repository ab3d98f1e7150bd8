// Answers dialogs in place of a person, because no dialogs appear in a test.
import { type MessageOptions, window } from 'vscode';

const { showWarningMessage } = window;

export class Dialogs {
  readonly asked: string[] = []; // each question, with its detail

  // answerWith sets the answers to the next questions, one for each.
  answerWith(...choices: (string | undefined | Promise<string | undefined>)[]): void {
    const choose = async (message: string, options: MessageOptions) => {
      this.asked.push(`${message}\n${options.detail ?? ''}`);
      return choices.shift();
    };
    window.showWarningMessage = choose as typeof showWarningMessage;
  }

  restore(): void {
    window.showWarningMessage = showWarningMessage;
  }
}
