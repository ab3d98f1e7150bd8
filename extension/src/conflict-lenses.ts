// VS Code mistakes SEARCH/REPLACE blocks in a file for merge conflicts, and one click on the lenses above them destroys
// the reply. The setting for these lenses cannot be limited to a language, so the person is told once about the
// setting. Chat answers and pasted replies have no such lenses.
import { ConfigurationTarget, type Memento, Uri, window, workspace } from 'vscode';
import { type ChatAnswers, pasted } from './chat-answer';
import { warn } from './notify';
import { ChatScheme, type Status } from './protocol.gen';

const told = 'conflictLenses.told';
const hide = 'Hide Conflict Lenses';
const copy = 'Open a Plain Copy';

export class ConflictLenses {
  constructor(
    private readonly answers: ChatAnswers,
    private readonly state: Memento,
  ) {}

  async show({ uri, conflicts }: Status): Promise<void> {
    const document = window.activeTextEditor?.document;
    const seen = document?.uri.toString() === Uri.parse(uri).toString() && document.uri.scheme !== ChatScheme;
    const settings = workspace.getConfiguration('merge-conflict');
    if (!conflicts || !seen || !settings.get('codeLens.enabled') || this.state.get(told)) return;
    await this.state.update(told, true);
    const message =
      'VS Code shows the blocks of this reply as merge conflicts. Its “Accept Incoming Change” changes the reply, not your files.';
    const choice = await warn(message, copy, hide);
    if (choice === copy) await this.answers.show(document.getText(), pasted);
    if (choice === hide) await settings.update('codeLens.enabled', false, target());
  }
}

function target(): ConfigurationTarget {
  return workspace.workspaceFolders ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
}
