import { setTimeout as delay } from 'node:timers/promises';

const limit = 60_000; // milliseconds

// until waits for a condition.
export async function until(condition) {
  if (!(await within(limit, condition))) throw new Error(`not within ${limit / 1000} s: ${condition}`);
}

// within is whether a condition holds before some milliseconds have passed.
export async function within(milliseconds, condition) {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

// inTime is whether something happens before a timeout of the browser.
export async function inTime(happens) {
  try {
    await happens();
    return true;
  } catch (error) {
    if (error.name === 'TimeoutError') return false;
    throw error;
  }
}

export function appears(locator, milliseconds) {
  return inTime(() => locator.waitFor({ timeout: milliseconds }));
}
