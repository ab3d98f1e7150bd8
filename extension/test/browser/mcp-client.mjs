// An agent outside of the editor: a client of `aptix mcp` over its standard input and output.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class McpClient {
  #server;
  #waiting = new Map(); // by id, what to do with the answer
  #count = 0;

  // start runs the program as an MCP client does; env is what the editor has, too.
  static async start(program, args, env) {
    const client = new McpClient();
    client.#server = spawn(program, ['mcp', ...args], { stdio: ['pipe', 'pipe', 'inherit'], env });
    createInterface({ input: client.#server.stdout }).on('line', (line) => client.#receive(JSON.parse(line)));
    const clientInfo = { name: 'Robo', version: '1.0.0' };
    await client.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  // call gives the envelope of a tool's answer.
  async call(name, args, signal) {
    const { content } = await this.#request('tools/call', { name, arguments: args }, signal);
    return JSON.parse(content[0].text);
  }

  stop() {
    this.#server.kill();
  }

  #request(method, params, signal) {
    const id = ++this.#count;
    signal?.addEventListener('abort', () =>
      this.#send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'changed its mind' } }),
    );
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}
