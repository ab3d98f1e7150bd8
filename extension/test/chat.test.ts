import assert from 'node:assert/strict';
import path from 'node:path';
import { ConfigurationTarget, commands, type Uri, workspace } from 'vscode';
import { reset, until } from './sample';

interface PromptFile {
  uri: Uri;
  type: string;
  extensionId: string;
}

describe('chat', () => {
  beforeEach(reset);

  afterEach(() => instruct(undefined));

  it('has the skills, and has the instructions only if the setting asks for them', async () => {
    const skills = ['skill aptix-ap', 'skill aptix-bundle', 'skill aptix-lines', 'skill aptix-patch'];
    assert.deepEqual(await promptFiles(), skills);
    await instruct(true);
    await until(async () => (await promptFiles()).includes('instructions aptix.instructions.md'));
    assert.equal((await promptFiles()).length, skills.length + 1);
  });
});

function instruct(value: boolean | undefined): Thenable<void> {
  return workspace.getConfiguration('aptix').update('chat.instructions', value, ConfigurationTarget.Global);
}

// promptFiles uses VS Code's own command. Extensions have no other way to see which files the chat got.
async function promptFiles(): Promise<string[]> {
  const files: PromptFile[] = await commands.executeCommand('_listExtensionPromptFiles');
  const ours = files.filter(({ extensionId }) => extensionId === 'aptix.aptix');
  const name = ({ type, uri }: PromptFile) => path.basename(type === 'skill' ? path.dirname(uri.path) : uri.path);
  return ours.map((file) => `${file.type} ${name(file)}`).sort();
}
