import { setTimeout as delay } from 'node:timers/promises';

const limit = 60_000; // milliseconds

// until waits for a condition.
export async function until(condition) {
  const deadline = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${limit / 1000} s: ${condition}`);
    await delay(20);
  }
}
