// Offers the program as an MCP server to chat and agents in this editor.
import { Disposable, EventEmitter, type ExtensionContext, lm, McpStdioServerDefinition, workspace } from 'vscode';
import type { Program } from './program';

export function registerMcpServer(context: ExtensionContext, program: Program): Disposable {
  const changed = new EventEmitter<void>();
  return Disposable.from(
    changed,
    workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('aptix.server.path') && changed.fire()),
    lm.registerMcpServerDefinitionProvider('aptix', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => mcpServers(context, program),
    }),
  );
}

// mcpServers is empty where no folder is open: there is nothing for the tools to work on.
export async function mcpServers(context: ExtensionContext, program: Program): Promise<McpStdioServerDefinition[]> {
  const folders = workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
  if (folders.length === 0) return [];
  const roots = folders.flatMap(({ uri }) => ['--root', uri.fsPath]);
  const { version } = context.extension.packageJSON;
  return [new McpStdioServerDefinition('Aptix', await program.path(), ['mcp', ...roots], {}, version)];
}
