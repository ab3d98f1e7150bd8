// Offers the program as an MCP server to the chat and to agents in this editor.
import {
  Disposable,
  EventEmitter,
  type ExtensionContext,
  lm,
  type McpServerDefinitionProvider,
  McpStdioServerDefinition,
  workspace,
} from 'vscode';
import type { Program } from './program';

export function registerMcpServer(context: ExtensionContext, program: Program): Disposable {
  const provider = mcpProvider(context, program);
  return Disposable.from(provider, lm.registerMcpServerDefinitionProvider('aptix', provider));
}

// mcpProvider returns the provider. When the folders, the setting or the program change, the provider makes VS Code
// request the servers again, even if it had none to offer before.
export function mcpProvider(context: ExtensionContext, program: Program): McpServerDefinitionProvider & Disposable {
  const changed = new EventEmitter<void>();
  const fire = () => changed.fire();
  const listening = Disposable.from(
    changed,
    workspace.onDidChangeWorkspaceFolders(fire),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('aptix.server.path') && fire()),
    program.onDidFind(fire),
  );
  return {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => mcpServers(context, program),
    dispose: () => listening.dispose(),
  };
}

// mcpServers returns the server for the open folders. Without a folder it returns none, because the tools would have no
// files to work on.
export async function mcpServers(context: ExtensionContext, program: Program): Promise<McpStdioServerDefinition[]> {
  const folders = workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
  if (folders.length === 0) return [];
  const roots = folders.flatMap(({ uri }) => ['--root', uri.fsPath]);
  const { version } = context.extension.packageJSON;
  return [new McpStdioServerDefinition('Aptix', await program.path(), ['mcp', ...roots], {}, version)];
}
