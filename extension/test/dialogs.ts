// A person's answers to dialogs, which do not come up in a test.
import { type MessageOptions, window } from 'vscode';

const { showWarningMessage } = window;

export class Dialogs {
  readonly asked: string[] = []; // each question with its detail

  // answerWith chooses, one question after the other.
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
