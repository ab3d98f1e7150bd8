import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CodeLens, ConfigurationTarget, commands, extensions, window, workspace } from 'vscode';
import { CloseAction } from 'vscode-languageclient/node';
import { CrashHandler } from '../src/client';
import { reset, show, until } from './sample';

describe('the server', () => {
  beforeEach(reset);

  it('is started again after a crash', async () => {
    const { uri } = await show('reply.md');
    const pid = await until(serverProcess);
    process.kill(pid, 'SIGKILL');
    await until(() => serverProcess() !== pid && serverProcess());
    await until(
      async () => (await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri)).length > 0,
    );
  });

  it('is started again by the command', async () => {
    const pid = await until(serverProcess);
    await commands.executeCommand('aptix.restart');
    await until(() => serverProcess() !== pid && serverProcess());
  });

  it('can be started once its path is mended', async () => {
    await setPath('/nowhere/aptix');
    await commands.executeCommand('aptix.restart');
    await until(() => serverProcess() === undefined);
    await setPath(undefined);
    await commands.executeCommand('aptix.restart');
    await until(serverProcess);
  });

  it('is a single process, however often it is restarted', async () => {
    await show('reply.md');
    const pid = await until(serverProcess);
    await Promise.all([1, 2, 3].map(() => commands.executeCommand('aptix.restart')));
    await commands.executeCommand('aptix.nextBlock'); // the command sends a request to the client of the last restart
    await until(() => serverProcesses().length === 1);
    assert.notEqual(serverProcess(), pid);
  });

  it('can be restarted if it never answers', async () => {
    const stub = path.join(fs.mkdtempSync(path.join(tmpdir(), 'aptix-stub-')), 'silent');
    fs.writeFileSync(stub, '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 1000\n', { mode: 0o755 });
    await setPath(stub);
    void commands.executeCommand('aptix.restart');
    const pid = await until(() => Number(readProcess(() => fs.readFileSync(`${stub}.pid`, 'utf8'))));
    await setPath(undefined);
    await commands.executeCommand('aptix.restart');
    await until(serverProcess);
    await until(() => parent(pid) === undefined);
    assert.equal(serverProcesses().length, 1);
    fs.rmSync(path.dirname(stub), { recursive: true });
  });

  it('stays stopped after a fifth crash in a row', () => {
    const output = window.createOutputChannel('crash', { log: true });
    const handler = new CrashHandler(output, [], async () => {});
    const actions = Array.from({ length: 5 }, () => handler.closed().action);
    output.dispose();
    assert.deepEqual(actions, [...Array(4).fill(CloseAction.Restart), CloseAction.DoNotRestart]);
  });
});

// setPath changes the setting, and waits until the extension host sees the change, which may be after the update has ended.
async function setPath(program: string | undefined): Promise<void> {
  await workspace.getConfiguration('aptix').update('server.path', program, ConfigurationTarget.Global);
  await until(() => workspace.getConfiguration('aptix').get('server.path') === (program ?? ''));
}

function serverProcess(): number | undefined {
  return serverProcesses()[0];
}

// serverProcesses returns the ids of this extension host's child processes that run our program.
function serverProcesses(): number[] {
  const program = `${extensions.getExtension('aptix.aptix')?.extensionPath}/bin/aptix`;
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parent(pid) === process.pid && executable(pid) === program);
}

function parent(pid: number): number | undefined {
  const stat = readProcess(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

function executable(pid: number): string | undefined {
  return readProcess(() => fs.readlinkSync(`/proc/${pid}/exe`));
}

// readProcess returns undefined if the process ends while it is read.
function readProcess(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
