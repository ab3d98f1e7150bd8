// Offers the program as an MCP server to chat and agents in this editor.
import { Disposable, EventEmitter, type ExtensionContext, lm, McpStdioServerDefinition, workspace } from 'vscode';
import { serverPath } from './client';

export function registerMcpServer(context: ExtensionContext): Disposable {
  const changed = new EventEmitter<void>();
  return Disposable.from(
    changed,
    workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('aptix.server.path') && changed.fire()),
    lm.registerMcpServerDefinitionProvider('aptix', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => mcpServers(context),
    }),
  );
}

// mcpServers is empty where no folder is open: there is nothing for the tools to work on.
export function mcpServers(context: ExtensionContext): McpStdioServerDefinition[] {
  const folders = workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
  if (folders.length === 0) return [];
  const roots = folders.flatMap(({ uri }) => ['--root', uri.fsPath]);
  const { version } = context.extension.packageJSON;
  return [new McpStdioServerDefinition('Aptix', serverPath(context), ['mcp', ...roots], {}, version)];
}
