// The tools for language models in the editor. The server runs them; package.json declares them.
import {
  type CancellationToken,
  Disposable,
  type Extension,
  LanguageModelTextPart,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import type { Server } from './client';
import { markdown } from './escape';
import { MethodTool, type ToolResult } from './protocol.gen';

interface Contributed {
  name: string;
  displayName: string;
}

export function registerTools(extension: Extension<unknown>, server: Server): Disposable {
  const contributed: Contributed[] = extension.packageJSON.contributes.languageModelTools;
  return Disposable.from(...contributed.map((tool) => lm.registerTool(tool.name, new Tool(tool, server))));
}

type Input = Record<string, unknown>;

class Tool implements LanguageModelTool<Input> {
  constructor(
    private readonly contributed: Contributed,
    private readonly server: Server,
  ) {}

  async invoke(
    { input }: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<LanguageModelToolResult> {
    const params = { name: this.contributed.name, arguments: input };
    const result = await this.server.request<ToolResult>(MethodTool, params, token);
    return new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(result))]);
  }

  // prepareInvocation does not ask for a confirmation, because the server asks with a diff before files change.
  prepareInvocation({ input }: LanguageModelToolInvocationPrepareOptions<Input>): PreparedToolInvocation {
    const { displayName } = this.contributed;
    const about = input.docPath ?? input.query;
    if (typeof about !== 'string') return { invocationMessage: displayName };
    return { invocationMessage: new MarkdownString(`${displayName}: ${markdown(about)}`) };
  }
}
