import { expect, test } from 'vitest';
import { RefusalPace } from './refusal-pace.ts';

/** Refuses so many calls. Returns those that have to wait. */
function refuse(pace: RefusalPace, count: number): Promise<void>[] {
  return Array.from({ length: count }, () => pace.wait()).filter((each) => each !== undefined);
}

test('the first refusals of a second are handed out at once, and the others later', async () => {
  const time = { now: 0 };
  const pace = new RefusalPace(() => time.now);
  expect(refuse(pace, 100)).toHaveLength(0);
  const startedAt = performance.now();
  const waits = refuse(pace, 10);
  expect(waits).toHaveLength(10);
  await Promise.all(waits);
  expect(performance.now() - startedAt).toBeGreaterThan(30);
  time.now = 999;
  expect(refuse(pace, 1)).toHaveLength(1);
  time.now = 1000;
  expect(refuse(pace, 101)).toHaveLength(1);
});

test('however many callers are refused, only a thousand refusals wait', async () => {
  const pace = new RefusalPace(() => 0);
  refuse(pace, 100);
  const waits = refuse(pace, 5000);
  expect(waits).toHaveLength(1000);
  await Promise.all(waits);
  expect(refuse(pace, 5000), 'those that were handed out make room').toHaveLength(1000);
});
