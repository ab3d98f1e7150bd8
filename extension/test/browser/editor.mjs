// VS Code as a person sees it: what is on the page, and the keys and clicks that change it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launch } from '../../../scripts/browser.mjs';
import { environment, installExtension, startHost, still } from '../../../scripts/host.mjs';
import { build, localPackage, workspace } from '../../../scripts/paths.mjs';
import { installModel } from './model.mjs';
import { appears, inTime, until, within } from './until.mjs';

const screenshots = path.join(build, 'screenshots');
const tryAgain = 10_000; // milliseconds

// openSample opens the sample workspace with its reply, or another one, in a VS Code that has the packaged extension. After
// a test that fails it reports what the person saw; after the tests of the file it takes a last screenshot and closes all.
// With chat it also has the chat, and a model that says what a test wants. With empty, no folder is open.
export async function openSample({
  overrides = {},
  reply = undefined,
  name = 'reply.md',
  chat = false,
  empty = false,
} = {}) {
  const state = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-browser-'));
  const folder = path.join(state, 'corner-shop');
  fs.cpSync(workspace, folder, { recursive: true });
  if (reply !== undefined) fs.writeFileSync(path.join(folder, name), reply);
  await install(state, chat);
  const host = await startHost(state, { overrides: { ...still, 'chat.disableAIFeatures': !chat, ...overrides } });
  const browser = await launch();
  const editor = new Editor(browser.page, folder);
  afterEach(async ({ name, passed }) => {
    if (!passed) await editor.report(name);
  });
  after(async () => {
    await editor.screenshot(`${path.basename(process.argv[1], '.test.mjs')}-last`);
    await browser.close();
    await host.stop();
    fs.rmSync(state, { recursive: true, force: true });
  });
  const address = empty ? host.url() : host.url(folder, [['openFile', host.remote(path.join(folder, name))]]);
  await browser.page.goto(address);
  // Beside other work, VS Code needs minutes to start all extensions. No test is about that time.
  if (!empty) await editor.statusBar.getByText('Aptix: ').first().waitFor({ timeout: 300_000 });
  return {
    editor,
    original: editor.onDisk(),
    program: path.join(state, 'extensions', installed(state), 'bin/aptix'),
    environment: environment(state),
  };
}

// install copies the extensions that scripts/test-browser.mjs installed for all files, or installs them for this file alone.
async function install(state, chat) {
  const made = process.env.APTIX_INSTALLED;
  if (made) return fs.cpSync(path.join(made, chat ? 'chat' : 'plain'), state, { recursive: true });
  await installExtension(state, localPackage);
  if (chat) await installModel(state);
}

function installed(state) {
  return fs.readdirSync(path.join(state, 'extensions')).find((name) => name.startsWith('aptix.aptix-'));
}

class Editor {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
  }

  // onDisk maps each file's path to its text.
  onDisk() {
    const names = fs.readdirSync(this.folder, { recursive: true });
    return Object.fromEntries(names.map((name) => [name, this.#read(name)]).filter(([, text]) => text !== undefined));
  }

  // writeOnDisk replaces a file with a new one. If the file itself is shortened while VS Code copies it for its local history,
  // VS Code never saves it again.
  writeOnDisk(name, text) {
    const whole = path.join(path.dirname(this.folder), 'whole-file');
    fs.writeFileSync(whole, text);
    fs.renameSync(whole, path.join(this.folder, name));
  }

  // A folder has no text, and a file may go while the others are read.
  #read(name) {
    try {
      return fs.readFileSync(path.join(this.folder, name), 'utf8');
    } catch (error) {
      if (error.code === 'EISDIR' || error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  lens(title) {
    return this.page.locator('.codelens-decoration a', { hasText: title });
  }

  // lensBeside is one of the lenses of a block, which another of its lenses names.
  lensBeside(other, title) {
    return this.state(other).locator('a', { hasText: title });
  }

  // focus is a click into the first line of the active editor.
  focus() {
    return this.page.locator('.editor-group-container.active .editor-instance .view-line').first().click();
  }

  // openViews opens the views of Aptix in the side bar. A click while they open by themselves closes them.
  async openViews() {
    const title = this.page.locator('.sidebar .title-label', { hasText: 'Aptix' });
    await until(async () => {
      await this.page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Aptix/ })
        .click();
      return appears(title, 3000);
    });
  }

  // state is the text beside the lenses of a block.
  state(text) {
    return this.page.locator('.codelens-decoration', { hasText: text });
  }

  // button is an action in the title of the active editor.
  button(name) {
    return this.page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name });
  }

  // token is a run of characters in one color.
  token(words) {
    return this.page.locator('.editor-group-container.active .view-line span span', { hasText: words }).first();
  }

  color(words) {
    return this.token(words).evaluate((span) => getComputedStyle(span).color);
  }

  notification(text) {
    return this.page.locator('.notification-list-item', { hasText: text });
  }

  // answer clicks a button of a notification. A notification that has hidden after some seconds is shown again.
  async answer(text, name) {
    const button = this.notification(text).first().getByRole('button', { name }); // the latest of those with this text
    await until(async () => {
      if (!(await appears(button, 3000))) await this.run('Notifications: Show Notifications');
      return (await inTime(() => this.#click(button))) || this.page.evaluate(() => window.clicked);
    });
  }

  // click sets window.clicked once the button gets the click: a busy browser may say so too late, when the notification
  // has gone.
  async #click(button) {
    await this.page.evaluate(() => (window.clicked = false));
    const seen = (shown) => shown.addEventListener('click', () => (window.clicked = true), { capture: true });
    await button.evaluate(seen, undefined, { timeout: 3000 });
    await button.click({ timeout: 3000 });
  }

  // choose takes an entry of an item's context menu, until what it opens is there: a menu takes no click in its first
  // moment, and goes away unused when the view is drawn again.
  async choose(item, entry, opened) {
    const action = this.page.getByRole('menuitem', { name: entry });
    await until(async () => {
      if (!(await action.isVisible())) await item.click({ button: 'right', timeout: 3000 }).catch(() => {});
      await delay(200);
      await action.click({ timeout: 1000 }).catch(() => {});
      return appears(opened, 5000);
    });
  }

  get diffEntries() {
    return this.page.locator('.multiDiffEntry');
  }

  get statusBar() {
    return this.page.locator('.statusbar');
  }

  // lines is the text of the active editor, as far as it is on the screen.
  lines() {
    const rows = this.page.locator('.editor-group-container.active .editor-instance .view-line');
    return rows.evaluateAll((lines) =>
      lines
        .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
        .map((line) => line.textContent.replaceAll('\u00a0', ' ')),
    );
  }

  async openFile(name) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
    await this.#enter(this.#whole(name), () => row.click({ timeout: tryAgain }));
    await this.shows(name);
  }

  // openByKeys opens a file without the mouse.
  async openByKeys(name) {
    const row = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    await this.#enter(this.#whole(name), () => row.waitFor({ timeout: tryAgain }));
    await this.page.keyboard.press('Enter');
    await this.shows(name);
  }

  // shows waits until the active editor shows a file. Its tab alone may be active while the text and the lenses of another
  // file are still there.
  async shows(name) {
    await this.page.locator(`.editor-group-container.active .monaco-editor[data-uri$="/${name}"]`).waitFor();
    await this.tab(name).waitFor();
  }

  // whole is the whole path of a file with a name. The quick input asks the disk for a whole path, but looks for a name in
  // the list of files from the last time, which has no new file.
  #whole(name) {
    const found = fs.readdirSync(this.folder, { recursive: true }).find((file) => path.basename(file) === name);
    return path.join(this.folder, found);
  }

  // enter writes a text into the quick input and waits for its entry. The input closes when something else takes the focus
  // meanwhile; then it is opened again. An input that is still open keeps the entries of its text, although a command may
  // be new since then, so it is closed first.
  async #enter(text, found) {
    const input = this.page.locator('.quick-input-widget input[type=text]').first();
    await until(async () => {
      if (await input.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1'); // lost while the page is busy
      if (!(await input.isVisible())) return false;
      return inTime(async () => {
        await input.fill(text, { timeout: tryAgain });
        await found();
      });
    });
  }

  // press presses a key, or the keys of a chord, until their effect is seen: VS Code may lose keys while it is busy. Some
  // keys must not act twice, so a key is pressed again only if no file and no title has changed since it was last looked at:
  // what an earlier key does may still go on, and a change that has ended without the effect was not made by this key.
  async press(keys, seen) {
    let before = await this.#work();
    await until(async () => {
      const now = await this.#work();
      if (now === before) for (const key of keys.split(' ')) await this.page.keyboard.press(key);
      before = now;
      return within(tryAgain, seen);
    });
  }

  // work describes the files and the titles of the tabs, such as "Aptix: +3 −1, 1 skipped", so that two states can be compared.
  async #work() {
    return JSON.stringify([this.onDisk(), await this.page.locator('.tab').allInnerTexts()]);
  }

  async closeTab(name) {
    const tab = this.page.locator('.tab', { hasText: name });
    await tab.hover(); // shows the button of a tab that is not active
    await tab.locator('.tab-actions a').click();
    await tab.waitFor({ state: 'detached' });
  }

  tab(name) {
    return this.page.locator('.editor-group-container.active .tab.active', { hasText: name });
  }

  // run takes a command from the Command Palette.
  async run(command) {
    const row = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: command });
    await this.#enter(`>${command}`, () => row.waitFor({ timeout: tryAgain }));
    await this.page.keyboard.press('Enter');
  }

  // whileTyping has a person write at the top of a file while something happens. Each key has to arrive there.
  async whileTyping(file, happens) {
    if (!(await this.tab(file).isVisible())) await this.openFile(file);
    await this.focus();
    await this.page.keyboard.press('Control+Home');
    let typed = '';
    const type = async () => {
      const key = typed.length % 40 === 39 ? 'Enter' : String.fromCharCode(97 + ((typed.length % 40) % 26));
      await this.page.keyboard.press(key);
      typed += key === 'Enter' ? '\n' : key;
    };
    let done = false;
    const all = happens().finally(() => {
      done = true;
    });
    const deadline = Date.now() + 60_000;
    while (!done && Date.now() < deadline) await type();
    if (!done) throw new Error('it did not happen within a minute');
    for (let n = 0; n < 20; n++) await type(); // what happened may reach the window later
    await all;
    await until(async () => (await this.lines()).join('\n').startsWith(typed));
    await this.run('File: Revert File');
  }

  closeAll() {
    return this.run('View: Close All Editors');
  }

  // startOver closes all editors and messages, makes the folder as it was at first, and opens the reply, or another one: so
  // tests of something else need no VS Code of their own. The history stays, as after a checkout. It returns onDisk().
  async startOver(reply) {
    const dirty = this.page.locator('.tab.dirty');
    for (let left = await dirty.count(); left > 0; left = await dirty.count()) {
      await dirty.first().click();
      await this.run('View: Revert and Close Editor');
      await until(async () => (await dirty.count()) < left);
    }
    await this.closeAll();
    await this.page.locator('.tab').first().waitFor({ state: 'detached' });
    await this.run('Notifications: Clear All Notifications');
    this.#reset(reply);
    await this.openFile('reply.md');
    await this.press('Control+Home', () => this.statusBar.getByText('Ln 1, Col 1').isVisible()); // not where it was left
    return this.onDisk();
  }

  // VS Code may keep the text of a file that is deleted and made again at once, so what is still there is replaced.
  #reset(reply) {
    const inSample = (name) => path.join(workspace, name);
    for (const name of fs.readdirSync(this.folder, { recursive: true }))
      if (!fs.existsSync(inSample(name))) fs.rmSync(path.join(this.folder, name), { recursive: true, force: true });
    const now = this.onDisk();
    for (const name of fs.readdirSync(workspace, { recursive: true })) {
      if (fs.statSync(inSample(name)).isDirectory()) continue;
      const text = name === 'reply.md' && reply !== undefined ? reply : fs.readFileSync(inSample(name), 'utf8');
      if (now[name] !== text) this.writeOnDisk(name, text);
    }
  }

  // set changes a setting of the person, in both files that startHost writes.
  set(name, value) {
    for (const file of ['User/settings.json', 'Machine/settings.json']) {
      const settings = path.join(path.dirname(this.folder), 'user-data', file);
      const all = JSON.parse(fs.readFileSync(settings, 'utf8'));
      fs.writeFileSync(settings, JSON.stringify({ ...all, [name]: value }, null, 2));
    }
  }

  // clicks counts those of a person while something happens.
  async clicks(happens) {
    await this.page.evaluate(() => {
      window.clicks = 0;
      window.countClick ??= () => window.clicks++;
      window.addEventListener('mousedown', window.countClick, { capture: true });
    });
    await happens();
    return this.page.evaluate(() => window.clicks);
  }

  // copy puts a text on the clipboard.
  copy(text) {
    return this.page.evaluate((text) => navigator.clipboard.writeText(text), text);
  }

  // clipboard returns the text on the clipboard.
  clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  // report takes a screenshot and prints the texts that a person could read, with the notifications that hid meanwhile.
  async report(test) {
    await this.#picture(`failed ${test.replaceAll(/\W+/g, ' ').slice(0, 80)}`);
    await this.run('Notifications: Show Notifications');
    const texts = async (selector) => (await this.page.locator(selector).allInnerTexts()).map((text) => text.trim());
    console.error('seen:', {
      dialogs: await texts('.monaco-dialog-box'),
      notifications: await texts('.notifications-center .notification-list-item'),
      tabs: await texts('.tab'),
      status: await texts('.statusbar-item'),
    });
    await this.run('Notifications: Clear All Notifications');
  }

  // inThemes takes a picture as it is, in a dark theme and in both of high contrast.
  async inThemes(name) {
    await this.screenshot(name);
    await this.inOtherThemes((theme) => this.screenshot(`${name}-${theme}`));
  }

  // inOtherThemes does what a theme cannot be chosen beside, such as a dialog or a menu, once for each theme but the light one.
  async inOtherThemes(does) {
    await this.#theme('Dark Modern', 'vs-dark');
    await does('dark');
    await this.#theme('Dark High Contrast', 'hc-black');
    await does('contrast');
    await this.#theme('Light High Contrast', 'hc-light');
    await does('contrast-light');
    await this.#theme('Light 2026', 'vs');
  }

  // theme chooses a color theme by its name; kind is its class on the page.
  async #theme(name, kind) {
    const picker = this.page.locator('.quick-input-widget input[placeholder^="Select Color Theme"]');
    const row = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    await until(async () => {
      await this.press('Control+k Control+t', () => picker.isVisible());
      return inTime(async () => {
        await picker.fill(name, { timeout: tryAgain });
        await row.waitFor({ timeout: tryAgain });
        await this.page.keyboard.press('Enter');
        await picker.waitFor({ state: 'hidden', timeout: tryAgain });
        await this.page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: tryAgain });
      });
    });
  }

  // screenshot takes a picture for people to look at. No test reads one, and each takes a third of a second of a processor,
  // so they are taken only if somebody asks for them.
  async screenshot(name) {
    if (process.env.SCREENSHOTS) await this.#picture(name);
  }

  async #picture(name) {
    fs.mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  }
}
