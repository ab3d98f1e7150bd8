// The entry point for VS Code's test runner: runs mocha on every *.test.js beside this file.
import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';

export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  // Marks mocha's lines, to tell them from other lines that an extension host logs.
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(`[mocha] ${format(...args)}`);
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', color: false, timeout: 300_000 });
  for (const name of fs.readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));
  }
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}
