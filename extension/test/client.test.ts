import assert from 'node:assert/strict';
import fs from 'node:fs';
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

  it('stays stopped after a fifth crash in a row', () => {
    const output = window.createOutputChannel('crash', { log: true });
    const handler = new CrashHandler(output, [], async () => {});
    const actions = Array.from({ length: 5 }, () => handler.closed().action);
    output.dispose();
    assert.deepEqual(actions, [...Array(4).fill(CloseAction.Restart), CloseAction.DoNotRestart]);
  });
});

// setPath waits until the extension host has heard of it, which may be after the update was said to be done.
async function setPath(path: string | undefined): Promise<void> {
  await workspace.getConfiguration('aptix').update('server.path', path, ConfigurationTarget.Global);
  await until(() => workspace.getConfiguration('aptix').get('server.path') === (path ?? ''));
}

// serverProcess is the one child of this extension host that runs our program.
function serverProcess(): number | undefined {
  const program = `${extensions.getExtension('aptix.aptix')?.extensionPath}/bin/aptix`;
  const children = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parent(name) === process.pid);
  const child = children.find((pid) => executable(pid) === program);
  return child === undefined ? undefined : Number(child);
}

function parent(pid: string): number | undefined {
  const stat = readProcess(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

function executable(pid: string): string | undefined {
  return readProcess(() => fs.readlinkSync(`/proc/${pid}/exe`));
}

// A process can end while it is looked at.
function readProcess(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
