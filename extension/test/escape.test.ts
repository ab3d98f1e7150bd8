import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commands, extensions, MarkdownString, type StatusBarItem, window } from 'vscode';
import { label, line, markdown, message } from '../src/escape';
import { EntryItem, FileItem } from '../src/history-items';
import { ask, fail, flash, inform, warn } from '../src/notify';
import type { HistoryEntry } from '../src/protocol.gen';
import { StatusItem } from '../src/status';
import { reset, show } from './sample';

const pieces = [
  ...[
    '[a](command:x)',
    '![a](http://e.vil/x.png)',
    '<img src=x>',
    '<http://e.vil>',
    'http://e.vil',
    'www.e.vil',
    'a@e.vil',
  ],
  ...[
    '&lt;',
    '$(x)',
    '**',
    '`',
    '``',
    '~~',
    '|',
    '\\',
    '](',
    '# ',
    '- ',
    ' ',
    '/',
    'a',
    '世',
    '👩',
    '[a]: http://e.vil',
  ],
  ...['\x1b[2J', '\u009b', '\r', '\n', '\t', '\u202e', '\u2066', '\u2028', '\u200b', '\ufeff', '\u3164', '\u{e0041}'],
];

const hides = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff\u3164\u{e0041}]/u;
const icon = /(?<!\\)\$\(/;

describe('what replies, repositories and agents wrote', () => {
  it('is escaped, and escaping it twice changes nothing more', () => {
    for (const text of hostile(2000)) {
      for (const shownBy of [line, message, label]) {
        const shown = shownBy(text);
        assert.doesNotMatch(shown, hides, text);
        assert.equal(shownBy(shown), shown);
      }
      assert.doesNotMatch(line(text), /[\n\t]/);
      assert.ok(!message(text).includes(']('));
      assert.doesNotMatch(label(text), icon);
    }
    assert.equal(line('a\u202eb\n\x1b\u{e0041}'), 'a\\u202eb\\n\\x1b\\U000e0041');
    assert.equal(message('[a](command:b)\n'), '[a]\\(command:b)\n');
  });

  it('is text in Markdown', async () => {
    for (const text of hostile(150)) await isText(`**x:** ${markdown(text)} .`);
  });

  it('is text in the rows of the history and their tooltips', async () => {
    for (const text of hostile(100)) {
      const files = [{ path: `d/${text}`, operation: 'create', to: '', state: 'done', added: 1, removed: 0 } as const];
      const entry: HistoryEntry = {
        ...{ id: text, time: new Date().toISOString(), root: text, label: text, source: text },
        ...{ reverted: false, state: 'applied' as const, reverts: '', files },
      };
      const row = new EntryItem(entry);
      for (const item of [row, new FileItem(entry, 0)]) {
        for (const shown of [item.label, item.description, item.accessibilityInformation?.label]) {
          assert.doesNotMatch(String(shown), hides);
          assert.doesNotMatch(String(shown), /[\n\t]/);
        }
      }
      assert.doesNotMatch(String(new FileItem(entry, 0).tooltip), hides);
      assert.ok(row.tooltip instanceof MarkdownString);
      assert.ok(!row.tooltip.isTrusted && !row.tooltip.supportHtml && !row.tooltip.supportThemeIcons);
      assert.doesNotMatch(row.tooltip.value, hides);
      await isText(row.tooltip.value);
    }
  });

  it('has no icons in the status bar', async () => {
    await reset();
    const { uri } = await show('README.md');
    const { createStatusBarItem } = window;
    const item = { show: () => {}, hide: () => {}, dispose: () => {} } as StatusBarItem;
    window.createStatusBarItem = () => item;
    try {
      const status = new StatusItem();
      for (const text of hostile(100)) {
        status.show({
          uri: uri.toString(),
          reply: true,
          blocks: 1,
          ready: 1,
          errors: 0,
          incomplete: 0,
          text,
          conflicts: false,
        });
        assert.match(item.text, /^\$\(diff\) Aptix: /);
        assert.doesNotMatch(item.text.slice(2), icon);
        assert.doesNotMatch(item.text, hides);
      }
      status.dispose();
    } finally {
      window.createStatusBarItem = createStatusBarItem;
    }
  });

  it('has no links in notifications and dialogs', () => {
    const shown: string[] = [];
    const take = (...all: unknown[]) => {
      shown.push(...all.map((one) => (typeof one === 'string' ? one : String((one as { detail?: string })?.detail))));
      return Promise.resolve(undefined);
    };
    const names = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage'] as const;
    const replaced = window as unknown as Record<string, unknown>;
    const kept = names.map((name) => replaced[name]);
    for (const name of names) replaced[name] = take;
    try {
      for (const text of hostile(100)) {
        for (const tell of [inform, warn, fail]) void tell(text);
        void ask(text, text);
        flash('check', text);
      }
    } finally {
      names.forEach((name, i) => {
        replaced[name] = kept[i];
      });
    }
    assert.ok(shown.length >= 600);
    for (const text of shown) {
      assert.doesNotMatch(text, hides);
      assert.ok(!text.includes(']('), text);
    }
  });

  it('is shown in notifications only by notify.ts', () => {
    const root = extensions.getExtension('aptix.aptix')?.extensionPath ?? '';
    const sources = fs.readdirSync(path.join(root, 'src')).filter((name) => name !== 'notify.ts');
    assert.ok(sources.length > 15);
    for (const name of sources) {
      const source = fs.readFileSync(path.join(root, 'src', name), 'utf8');
      assert.doesNotMatch(source, /\.(show\w+Message|setStatusBarMessage)\(/, name);
    }
  });
});

// hostile makes random texts, the same ones in each run.
function hostile(count: number): string[] {
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join(''),
  );
}

// isText renders a text with VS Code's Markdown preview, which recognises more links than hovers do, and fails
// unless the result is only text.
async function isText(source: string): Promise<void> {
  const html = await commands.executeCommand<string>('markdown.api.render', source);
  assert.doesNotMatch(html, /<(a|img|table|h\d|ul|ol|pre|blockquote|s)[\s>]/, source);
}
