// Starts a real Chromium without a window.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findProgram } from './find-program.mjs';

// The names of a Chromium. The first one has no window at all, and needs a tenth less of a processor for the same page.
const names = ['chromium-headless-shell', ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']];

// findChromium returns the path of a Chromium on this machine; CHROMIUM overrides it.
export function findChromium() {
  return process.env.CHROMIUM || findProgram(...names);
}

export async function launch() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'aptix-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(60_000);
  return {
    page,
    async close() {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}
