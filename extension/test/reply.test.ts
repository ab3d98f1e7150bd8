import assert from 'node:assert/strict';
import {
  type CodeLens,
  ConfigurationTarget,
  commands,
  type Diagnostic,
  env,
  languages,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { reset, show, until, untitled } from './sample';

describe('a reply in an editor', () => {
  beforeEach(reset);

  it('has lenses over each block', async () => {
    const all = await lensTitles(await show('reply.md'));
    const titles = all.filter((title) => !title.endsWith('this file'));
    assert.equal(all.length - titles.length, 2 * (4 + 2));
    assert.deepEqual(titles[0], 'Apply all 2 Aptix blocks');
    assert.deepEqual(titles.slice(1, 3), ['Preview', 'Apply Aptix patch']);
    assert.match(titles[3] ?? '', /^2 files \+\d+ −\d+$/);
    assert.deepEqual(titles.slice(4, 6), ['Preview', 'Apply Aptix bundle']);
    assert.match(titles[6] ?? '', /^4 files \+\d+ −\d+$/);
  });

  it('has none of them once the setting says so', async () => {
    const { uri } = await show('reply.md');
    const lenses = () => commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const settings = workspace.getConfiguration('aptix');
    await until(async () => (await lenses()).length > 0);
    await settings.update('codeLens.enabled', false, ConfigurationTarget.Global);
    try {
      await until(async () => (await lenses()).length === 0);
    } finally {
      await settings.update('codeLens.enabled', undefined, ConfigurationTarget.Global);
    }
    await until(async () => (await lenses()).length > 0);
  });

  it('gets diagnostics, which go when the text is mended', async () => {
    const broken =
      '```json\n{"root": ".", "files": [{"path": "../a.txt", "operation": "create", "content": ""}]}\n```\n';
    const document = await untitled(broken);
    const found = await until(() => aptix(document.uri)[0]);
    assert.equal(document.getText(found.range), '"../a.txt"');
    assert.ok(typeof found.code === 'object' && /^[a-z-]+$/.test(String(found.code.value)));

    const mend = new WorkspaceEdit();
    mend.replace(document.uri, new Range(found.range.start, found.range.end), '"a.txt"');
    await workspace.applyEdit(mend);
    await until(() => aptix(document.uri).length === 0);
  });

  it('has its problems copied for the model', async () => {
    const broken = '```json\n{"root": ".", "files": [{"path": "../a.txt", "operation": "delete"}]}\n```\n';
    const { uri } = await untitled(broken);
    await commands.executeCommand('aptix.feedback', { uri: uri.toString(), block: 1 });
    assert.match(await env.clipboard.readText(), /\.\.\/a\.txt goes up with \.\./);
  });
});

async function lensTitles(document: TextDocument): Promise<string[]> {
  const lenses = await until(async () => {
    const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    return found.length > 0 ? found : undefined;
  });
  return lenses.sort((a, b) => a.range.start.line - b.range.start.line).map(({ command }) => command?.title ?? '');
}

function aptix(uri: Uri): Diagnostic[] {
  return languages.getDiagnostics(uri).filter(({ source }) => source === 'aptix');
}
