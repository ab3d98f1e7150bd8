import assert from 'node:assert/strict';
import { ConfigurationTarget, EventEmitter, type LogOutputChannel, Uri, workspace } from 'vscode';
import type { ChatAnswers } from '../src/chat-answer';
import type { ChatSession } from '../src/chat-session';
import { ChatWatch } from '../src/chat-watch';
import type { Server } from '../src/client';
import type { ChatAnswer } from '../src/protocol.gen';
import { reset, until } from './sample';

const scheme = 'chatSessionInput';
const uri = Uri.from({ scheme, path: 'test' });
let input = '';

describe('chat watch', () => {
  const changed = new EventEmitter<Uri>();
  const provided = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => input,
  });

  beforeEach(reset);

  after(async () => {
    provided.dispose();
    await watched(undefined);
  });

  it('shows the answer to a message that is sent while the answer before is read', async () => {
    await watched(true);
    const document = await workspace.openTextDocument(uri);
    const send = async (message: string) => {
      for (input of [message, '']) {
        changed.fire(uri);
        await until(() => document.getText() === input);
      }
    };
    let reads = 0;
    const session = {
      export: async () => {
        if (++reads === 1) await send('second');
        return '{}';
      },
    } as ChatSession;
    const request = async (): Promise<ChatAnswer> => {
      const text = reads === 1 ? 'first' : 'second';
      return { id: text, state: 'complete', text, message: '', blocks: 1 };
    };
    const listed: string[] = [];
    const answers = { list: async (text: string) => void listed.push(text) } as unknown as ChatAnswers;
    const error = assert.fail as LogOutputChannel['error'];
    const watch = new ChatWatch({ request } as unknown as Server, session, answers, { error } as LogOutputChannel);
    await send('first');
    await until(() => listed.length === 2);
    assert.deepEqual(listed, ['first', 'second']);
    watch.dispose();
  });
});

function watched(value: boolean | undefined): Thenable<void> {
  return workspace.getConfiguration('aptix').update('chat.watch', value, ConfigurationTarget.Global);
}
