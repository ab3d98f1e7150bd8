// Measures Aptix in VS Code beside a VS Code without it: from a key to its picture in a small file and in replies of
// 1 MB and 5 MB, and the memory of the editor's processes. Then from the opening of a reply to its lenses, and from the
// click on Apply to the last file on the disk, for 1 file and for 200. KEYS is the number of keys (200).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launch } from './browser.mjs';
import { installExtension, startHost, still } from './host.mjs';
import { localPackage, workspace } from './paths.mjs';

const keys = Number(process.env.KEYS ?? 200);
const pause = 50; // milliseconds between two keys: a fast typist
const files = {
  'small.md': 'A file without a block.\n',
  'reply-1.md': reply(100, 10_000),
  'reply-5.md': reply(100, 50_000),
};

const rows = [await measured(undefined), await measured(localPackage)];
console.log(`${''.padEnd(34)} without  with Aptix`);
for (const name of Object.keys(rows[1])) {
  const [without, withAptix] = rows.map((row) => (row[name] === undefined ? '–' : String(Math.round(row[name]))));
  console.log(`${name.padEnd(34)} ${without.padStart(7)}  ${withAptix.padStart(10)}`);
}

// reply returns a text with blocks that each make a new file of some characters.
function reply(blocks, characters) {
  const text = 'A line of a new file that is as long as usual.\n'.repeat(characters / 47);
  const block = (n) =>
    `Block ${n}:\n\n\`\`\`json\n${JSON.stringify({ root: '.', files: [{ path: `new/${n}.txt`, operation: 'create', content: text }] })}\n\`\`\`\n`;
  return Array.from({ length: blocks }, (_, n) => block(n)).join('\n');
}

// many returns a reply with one block that makes some small files.
function many(count) {
  const made = Array.from({ length: count }, (_, n) => ({
    path: `made-${count}/${n}.txt`,
    operation: 'create',
    content: 'New.\n',
  }));
  return `\`\`\`json\n${JSON.stringify({ root: '.', files: made })}\n\`\`\`\n`;
}

// measured opens an editor with a package, or without one, and returns what it measures: milliseconds and MB by name.
async function measured(vsix) {
  const state = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-editor-'));
  const folder = path.join(state, 'workspace');
  fs.cpSync(workspace, folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  for (const count of [1, 200]) fs.writeFileSync(path.join(folder, `apply-${count}.md`), many(count));
  if (vsix) await installExtension(state, vsix);
  const host = await startHost(state, { overrides: still });
  const browser = await launch();
  const open = async (name) => {
    await browser.page.goto(host.url(folder, [['openFile', host.remote(path.join(folder, name))]]));
    await browser.page.locator(`.monaco-editor[data-uri$="/${name}"] .view-line`).first().waitFor();
    if (vsix && name !== 'small.md')
      await browser.page.locator('.statusbar').getByText('Aptix: ').first().waitFor({ timeout: 300_000 });
    await delay(5000); // other extensions start, too
  };
  const result = {};
  try {
    for (const name of Object.keys(files)) {
      await open(name);
      const times = await typed(browser.page);
      result[`key to picture, ${name}, median`] = times[times.length >> 1];
      result[`key to picture, ${name}, p95`] = times[Math.floor(times.length * 0.95)];
      result[`memory, ${name}, MB`] = memory(host.pid);
    }
    if (!vsix) return result;
    for (const count of [1, 200]) {
      await open('small.md');
      result[`opening to lens, ${count} files`] = await time(async () => {
        await quickOpen(browser.page, path.join(folder, `apply-${count}.md`));
        await browser.page.locator('.codelens-decoration a', { hasText: 'Apply Aptix' }).first().waitFor();
      });
      const lens = browser.page.locator('.codelens-decoration a', { hasText: 'Apply Aptix' }).first();
      result[`click to disk, ${count} files`] = await time(async () => {
        await lens.click();
        const made = path.join(folder, `made-${count}`);
        while (!fs.existsSync(made) || fs.readdirSync(made).length < count) await delay(2);
      });
    }
    return result;
  } finally {
    await browser.close();
    await host.stop();
    fs.rmSync(state, { recursive: true, force: true });
  }
}

// typed types into the end of the first line, and returns the sorted milliseconds from each key to the frame that
// shows it.
async function typed(page) {
  const line = page.locator('.editor-group-container.active .monaco-editor .view-line').first();
  await line.click();
  await page.keyboard.press('End');
  await page.evaluate(() => {
    window.times = [];
    let began;
    window.addEventListener('keydown', () => (began ??= performance.now()), { capture: true });
    const lines = document.querySelector('.editor-group-container.active .monaco-editor .view-lines');
    new MutationObserver(() => {
      if (began === undefined) return;
      const key = began;
      began = undefined;
      requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - key)));
    }).observe(lines, { childList: true, subtree: true, characterData: true });
  });
  for (let n = 0; n < keys; n++) {
    await page.keyboard.press('x');
    await delay(pause);
  }
  return (await page.evaluate(() => window.times)).sort((a, b) => a - b);
}

// quickOpen opens a file by its whole path.
async function quickOpen(page, file) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').first().fill(file);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: path.basename(file) })
    .first()
    .click();
}

async function time(does) {
  const began = performance.now();
  await does();
  return performance.now() - began;
}

// memory returns the resident megabytes of all processes of a host.
function memory(group) {
  const sizes = execFileSync('ps', ['-e', '-o', 'pgid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  const of = sizes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([pgid]) => pgid === group);
  return of.reduce((sum, [, kilobytes]) => sum + kilobytes / 1024, 0);
}
