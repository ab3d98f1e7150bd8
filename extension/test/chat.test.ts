import assert from 'node:assert/strict';
import path from 'node:path';
import { commands, type Uri } from 'vscode';
import { reset } from './sample';

interface PromptFile {
  uri: Uri;
  type: string;
  extensionId: string;
}

describe('chat', () => {
  beforeEach(reset);

  it('has the instructions and the skills', async () => {
    // VS Code's own command; extensions have no other way to see what the chat was given.
    const files: PromptFile[] = await commands.executeCommand('_listExtensionPromptFiles');
    const ours = files.filter(({ extensionId }) => extensionId === 'aptix.aptix');
    const names = ours.map(
      ({ type, uri }) => `${type} ${path.basename(type === 'skill' ? path.dirname(uri.path) : uri.path)}`,
    );
    assert.deepEqual(names.sort(), [
      'instructions aptix.instructions.md',
      'skill aptix-ap',
      'skill aptix-bundle',
      'skill aptix-lines',
      'skill aptix-patch',
    ]);
  });
});
