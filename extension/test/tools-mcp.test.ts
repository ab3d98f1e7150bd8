import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  CancellationTokenSource,
  type Extension,
  type ExtensionContext,
  extensions,
  type McpStdioServerDefinition,
  workspace,
} from 'vscode';
import { mcpProvider, mcpServers } from '../src/mcp';
import { Program } from '../src/program';
import { reset } from './sample';

describe('the MCP server', () => {
  beforeEach(reset);

  it('is the program of the extension, for the open folders', async () => {
    const { args, version } = await definition();
    assert.deepEqual(args, ['mcp', '--root', workspace.workspaceFolders?.[0]?.uri.fsPath]);
    assert.equal(version, ours().packageJSON.version);
  });

  it('is offered as soon as the program is found', async () => {
    const bin = fs.mkdtempSync(path.join(tmpdir(), 'aptix-mcp-'));
    const program = new Program({ packed: bin, own: bin, storage: bin, version: '' });
    const provider = mcpProvider({ extension: ours() } as unknown as ExtensionContext, program);
    let changes = 0;
    provider.onDidChangeMcpServerDefinitions?.(() => changes++);
    const { token } = new CancellationTokenSource();
    await assert.rejects(async () => provider.provideMcpServerDefinitions(token));
    assert.equal(changes, 0);
    fs.writeFileSync(path.join(bin, 'aptix'), 'the program');
    await program.path(); // unpacks it, as a start of the language server would
    assert.equal(changes, 1);
    assert.equal((await provider.provideMcpServerDefinitions(token))?.length, 1);
    assert.equal(changes, 1);
    provider.dispose();
    fs.rmSync(bin, { recursive: true });
  });

  it('has the tools of the editor', async () => {
    const { tools } = await ask<{ tools: { name: string }[] }>('tools/list');
    const contributed: { name: string }[] = ours().packageJSON.contributes.languageModelTools;
    assert.deepEqual(tools.map(({ name }) => name).sort(), contributed.map(({ name }) => name).sort());
  });
});

async function definition(): Promise<McpStdioServerDefinition> {
  const extension = ours();
  const own = `${extension.extensionPath}/bin`;
  const program = new Program({ packed: own, own, storage: own, version: '' });
  const [first] = await mcpServers({ extension } as unknown as ExtensionContext, program);
  assert.ok(first);
  return first;
}

function ours(): Extension<unknown> {
  const extension = extensions.getExtension('aptix.aptix');
  assert.ok(extension);
  return extension;
}

// ask starts the server as an editor does, sends one request and returns the answer.
async function ask<R>(method: string): Promise<R> {
  const { command, args } = await definition();
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface(server.stdout)) {
      const { id, result } = JSON.parse(line);
      if (id === 2) return result;
      if (id !== 1) continue;
      send({ method: 'notifications/initialized' });
      send({ id: 2, method, params: {} });
    }
    throw new Error('the MCP server ended');
  } finally {
    server.kill();
  }
}
