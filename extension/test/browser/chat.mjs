// The chat view, with a model of the test's own.
import fs from 'node:fs';
import path from 'node:path';
import { until } from './until.mjs';

// What the input has once a message was sent: nothing, or the participant that goes on answering, with its command.
const onlyParticipant = /^\s*(@\w+\s*(\/\w+\s*)?)?$/;

export class Chat {
  #editor;
  #answers = 0;
  #folder;

  constructor(editor) {
    this.#editor = editor;
    this.#folder = path.join(path.dirname(editor.folder), 'home/model');
  }

  // answers says what the model will answer next.
  answers(text) {
    this.write(`${++this.#answers}.md`, text);
  }

  write(name, text = '') {
    fs.mkdirSync(this.#folder, { recursive: true });
    fs.writeFileSync(path.join(this.#folder, name), text);
  }

  // asked is what the model was asked the last time: messages with a role and a text.
  asked() {
    return JSON.parse(fs.readFileSync(path.join(this.#folder, `${this.#answers}.json`), 'utf8'));
  }

  // hide makes VS Code's own command fail from now on, by a command of the model.
  async hide(command, by) {
    await this.#editor.run(by);
    await until(() => fs.existsSync(path.join(this.#folder, command)));
  }

  async open() {
    await this.#editor.press('Control+Alt+i', () => this.input.isVisible());
  }

  // begin begins a new chat.
  async begin() {
    await this.input.click();
    await this.#editor.press('Control+n', async () => (await this.answer.count()) === 0);
  }

  // action is a button in the title of the view.
  action(name) {
    return this.#editor.page.getByRole('button', { name }).first();
  }

  // button is one that the last answer ends with.
  button(name) {
    return this.answer.locator('.chat-command-button').getByRole('button', { name, exact: true });
  }

  get answer() {
    return this.#editor.page.locator('.interactive-response').last();
  }

  get input() {
    return this.#editor.page.locator('.interactive-input-part .monaco-editor').first();
  }

  // typed is the text of the input.
  async typed() {
    const lines = await this.input.locator('.view-line').allTextContents();
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  // stop is there while an answer streams.
  get stop() {
    return this.#editor.page.locator('.interactive-input-part').getByRole('button', { name: /^(Cancel|Stop)/ });
  }

  // send waits for the model first: without one, an answer fails.
  async send(text) {
    await this.#editor.page.locator('.interactive-input-part', { hasText: 'Scripted' }).waitFor();
    const typed = async () => (await this.typed()).replaceAll('\n', '') === text; // long lines are wrapped
    await until(async () => {
      await this.input.click();
      await this.#editor.page.keyboard.press('Control+a');
      await this.#editor.page.keyboard.insertText(text);
      if (!(await typed())) return false; // what opens at the same time may take the focus, and so it may before the next key
      if (!(await this.#enter())) return false;
      await until(async () => !(await typed()));
      return onlyParticipant.test(await this.typed()); // the key may have chosen a suggestion instead
    });
  }

  // enter presses Enter, and returns whether the input got it. Then the message will be sent, however long that takes on a
  // busy machine. A message that is sent twice takes the answer that the model has for the next one.
  async #enter() {
    await this.input.evaluate((input) => {
      window.entered = false;
      const seen = ({ key }) => (window.entered = key === 'Enter');
      input.addEventListener('keydown', seen, { capture: true, once: true });
    });
    await this.#editor.page.keyboard.press('Enter');
    return this.#editor.page.evaluate(() => window.entered);
  }

  // done waits until the model has answered as often as answers says, and until the chat knows that: before that, the answer
  // is not the last one of the chat, and there may be no button to stop it yet.
  async done() {
    await until(() => fs.existsSync(path.join(this.#folder, `${this.#answers}.done`)));
    const drawn = () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
    await this.#editor.page.evaluate(drawn); // the chat has the message since before the model was asked, and shows it now
    await this.#editor.page.locator('.chat-response-loading').waitFor({ state: 'detached' });
    await this.stop.waitFor({ state: 'detached' });
  }
}
