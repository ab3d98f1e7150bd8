import assert from 'node:assert/strict';
import { commands, extensions, lm, Position, WorkspaceEdit, window, workspace } from 'vscode';
import { call, docPath, sha256, succeed } from './agent';
import { onDisk, original, reply, reset, show, text, until } from './sample';

interface Active {
  docPath: string;
  sha256: string;
  isDirty: boolean;
  isActive: boolean;
}

describe('tools', () => {
  beforeEach(reset);

  it('all exist, and have a schema', async () => {
    const contributed: { name: string }[] =
      extensions.getExtension('aptix.aptix')?.packageJSON.contributes.languageModelTools;
    assert.equal(contributed.length, 10);
    for (const { name } of contributed) {
      const tool = await until(() => lm.tools.find((tool) => tool.name === name));
      assert.notEqual(tool.inputSchema, undefined);
    }
  });

  it('read a file as it is in the editor', async () => {
    const file = await show('shop/money.py');
    const edit = new WorkspaceEdit();
    edit.insert(file.uri, new Position(0, 0), '# unsaved\n');
    await workspace.applyEdit(edit);
    const read = await succeed<{ content: string; sha256: string; source: string }>('workspace_read_file', {
      docPath: docPath('shop/money.py'),
    });
    const content = `# unsaved\n${text(original(), 'shop/money.py')}`;
    assert.deepEqual(
      { content: read.content, sha256: read.sha256, source: read.source },
      { content, sha256: sha256(content), source: 'active' },
    );
    const { sha256: sum } = await succeed<{ sha256: string }>('active_file_sha256', {
      docPath: docPath('shop/money.py'),
    });
    assert.equal(sum, read.sha256);
  });

  it('know which document is the active one', async () => {
    await show('shop/money.py');
    await show('README.md');
    await until(async () => (await activeDocument()) === docPath('README.md'));
    await show('shop/money.py');
    await until(async () => (await activeDocument()) === docPath('shop/money.py'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(async () => (await activeDocument()) === undefined);
  });

  it('know the active document of a server that was started again', async () => {
    await show('shop/money.py');
    await commands.executeCommand('aptix.restart');
    await until(async () => (await activeDocument()) === docPath('shop/money.py'));
  });

  it('search', async () => {
    const { chunks } = await succeed<{ chunks: { docPath: string }[] }>('workspace_search', { query: 'percent_of' });
    assert.ok(chunks.some((chunk) => chunk.docPath === docPath('shop/money.py')));
  });

  const { showInformationMessage } = window;
  afterEach(() => {
    window.showInformationMessage = showInformationMessage;
  });

  it('check and preview a reply, and change nothing', async () => {
    const checked = await succeed<{ applicable: boolean }>('aptix_check', { text: reply });
    assert.equal(checked.applicable, true);
    window.showInformationMessage = (async () => 'Show') as typeof showInformationMessage;
    const { diff } = await succeed<{ diff: string }>('aptix_preview', { text: reply });
    assert.match(diff, /^\+RATE = 19 {2}# per cent$/m);
    await until(() => window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Shown: '));
    assert.deepEqual(onDisk(), original());
  });

  it('answer a wrong call with an error', async () => {
    const answer = await call('workspace_read_file', { docPath: docPath('shop/nowhere.py') });
    assert.equal(answer.successful, false);
    assert.match(answer.errors[0]?.message ?? '', /nowhere\.py/);
  });
});

async function activeDocument(): Promise<string | undefined> {
  const { files } = await succeed<{ files: Active[] }>('active_file_list', {});
  return files.find(({ isActive }) => isActive)?.docPath;
}
