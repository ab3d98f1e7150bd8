// A model whose N-th answer is the file model/N.md in the home folder, and a participant that passes it on. A line
// "wait NAME" in it waits for the file model/NAME. What the model is asked is written to model/N.json;
// model/N.done says that it has answered.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');
const vscode = require('vscode');

const folder = path.join(os.homedir(), 'model');
let asked = 0;

exports.activate = async (context) => {
  fs.mkdirSync(folder, { recursive: true });
  const participant = vscode.chat.createChatParticipant('scripted.helper', handle);
  context.subscriptions.push(
    vscode.commands.registerCommand('scripted.hideExport', () => hide('workbench.action.chat.export')),
    vscode.commands.registerCommand('scripted.hideCopy', () => hide('workbench.action.chat.copyAll')),
  );
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', provider), participant);
  await vscode.lm.selectChatModels({ vendor: 'scripted' }); // VS Code asks for the models of a provider only then
};

// hide makes a command of VS Code fail, as one that is not there, and writes a file of its name.
function hide(command) {
  vscode.commands.registerCommand(command, () => {
    throw new Error(`command '${command}' not found`);
  });
  fs.writeFileSync(path.join(folder, command), '');
}

const provider = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'scripted',
      name: 'Scripted',
      family: 'scripted',
      version: '1',
      maxInputTokens: 100_000,
      maxOutputTokens: 100_000,
      capabilities: { toolCalling: true }, // without it, agent mode does not offer the model
    },
  ],
  provideTokenCount: () => 1,
  async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
    const number = ++asked;
    const said = messages.map(({ role, content }) => ({ role, text: content.map(({ value }) => value ?? '').join('') }));
    fs.writeFileSync(path.join(folder, `${number}.json`), JSON.stringify(said));
    for (const line of fs.readFileSync(path.join(folder, `${number}.md`), 'utf8').split(/(?<=\n)/)) {
      const [, name] = /^wait (\w+)\n$/.exec(line) ?? [];
      if (name) await appears(path.join(folder, name), token);
      else progress.report(new vscode.LanguageModelTextPart(line));
    }
    fs.writeFileSync(path.join(folder, `${number}.done`), '');
  },
};

async function appears(file, token) {
  while (!fs.existsSync(file) && !token.isCancellationRequested) await delay(20);
}

async function handle(request, _context, stream, token) {
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  const { text } = await request.model.sendRequest(messages, {}, token);
  for await (const part of text) stream.markdown(part);
}
