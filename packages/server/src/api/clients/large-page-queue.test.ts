import { expect, test } from 'vitest';
import { LargePageQueue } from './large-page-queue.ts';

/** Counts the turns of the event loop that others have had. */
function countTurns(): { now(): number; stop(): void } {
  let turns = 0;
  let timer = setImmediate(function next() {
    turns++;
    timer = setImmediate(next);
  });
  return { now: () => turns, stop: () => clearImmediate(timer) };
}

test('other requests are answered between two large pages, however many are requested at once', async () => {
  const turns = countTurns();
  const pages = new LargePageQueue();
  const madeAt = await Promise.all(Array.from({ length: 60 }, () => pages.add(async () => turns.now())));
  turns.stop();
  const waits = madeAt.slice(1).map((at, index) => at - (madeAt[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(0);
});

test('a large page that fails does so for its own caller only', async () => {
  const pages = new LargePageQueue();
  const failing = pages.add(() => Promise.reject(new Error('planted')));
  const next = pages.add(async () => 'made');
  await expect(failing).rejects.toThrow('planted');
  expect(await next).toBe('made');
});

test('when too many pages wait, the next is refused at once; when they are done, pages are made again', async () => {
  const pages = new LargePageQueue();
  const asked = Array.from({ length: 310 }, () => pages.add(async () => 'made'));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(300);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await pages.add(async () => 'made')).toBe('made');
});
