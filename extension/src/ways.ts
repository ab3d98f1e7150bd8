// The buttons of the message that a reply is not applied, or is not shown completely.
import { commands, Uri, window, workspace } from 'vscode';
import { type ChatAnswers, pasted } from './chat-answer';
import type { Server } from './client';
import { type Notify, pick } from './notify';
import {
  type AddressParams,
  type AddressResult,
  type ApplyResult,
  type Chosen,
  CommandApply,
  CommandFeedback,
  CommandPreview,
  MethodAddress,
  type Target,
} from './protocol.gen';

export type Ways = Pick<ApplyResult, 'rest' | 'fixable' | 'problems' | 'noBlock' | 'code'>;

export class WaysOn {
  constructor(
    private readonly server: Pick<Server, 'request' | 'refreshLenses'>,
    private readonly answers: ChatAnswers,
  ) {}

  async offer(show: Notify, message: string, target: Target, ways: Ways): Promise<void> {
    const there = await this.open(target, ways);
    const buttons: [string, boolean | undefined, () => unknown][] = [
      ['Fix and Apply', ways.fixable, () => commands.executeCommand(CommandApply, { ...there, fix: true })],
      ['Apply the Rest…', ways.rest, () => commands.executeCommand(CommandApply, { ...there, skipMissing: true })],
      ['Copy Problems for the Model', ways.problems, () => commands.executeCommand(CommandFeedback, there)],
      ['Open Folder…', !workspace.workspaceFolders, () => commands.executeCommand('vscode.openFolder')],
      // A message has room for three titles.
      ['Show Problems', ways.problems && !(ways.fixable && ways.rest), () => this.showProblems(there)],
      ['Choose the File…', ways.code, () => this.chooseFiles(target)],
      ['Copy a Request', ways.noBlock, () => commands.executeCommand(CommandFeedback, there)],
      ['Open the Text', ways.noBlock && target.text !== undefined, () => this.answers.show(target.text ?? '', pasted)],
    ];
    const offered = buttons.filter(([, possible]) => possible);
    const choice = await show(message, ...offered.map(([title]) => title));
    await offered.find(([title]) => title === choice)?.[2]();
  }

  // open opens a text with blocks that does not come from a document. A selection in a document is opened only if it
  // has problems.
  async open(target: Target, { noBlock, problems }: Ways): Promise<Target> {
    const { text, ...rest } = target;
    if (text === undefined || noBlock || !(problems || target.unseen)) return target;
    const { uri } = await this.answers.show(text, pasted);
    return { ...rest, uri: uri.toString(), unseen: true };
  }

  // chooseFiles asks for the file of each code block, and previews the result. A block for which the person chooses no
  // file stays unchanged.
  private async chooseFiles(target: Target): Promise<void> {
    const { blocks } = await this.address({ target, chosen: [] });
    const chosen: Chosen[] = [];
    for (const { line, title, files } of blocks) {
      const index = await pick(
        title,
        files.map(({ text }) => text),
      );
      const path = files[index ?? -1]?.path;
      if (path) chosen.push({ line, path });
    }
    if (chosen.length === 0) return;
    const { text } = await this.address({ target, chosen });
    await commands.executeCommand(CommandPreview, { ...target, text, unseen: true });
  }

  private async showProblems({ uri }: Target): Promise<void> {
    const { document } = await window.showTextDocument(Uri.parse(uri), { preview: false });
    await commands.executeCommand('workbench.actions.view.problems');
    this.server.refreshLenses(document);
  }

  private address(params: AddressParams): Promise<AddressResult> {
    return this.server.request(MethodAddress, params);
  }
}
