import { expect, test } from 'vitest';
import { LargePages } from './large-pages.ts';

/** How often others have had their turn so far. */
function countTurns(): { now(): number; stop(): void } {
  let turns = 0;
  let timer = setImmediate(function next() {
    turns++;
    timer = setImmediate(next);
  });
  return { now: () => turns, stop: () => clearImmediate(timer) };
}

test('between two large pages others have their turn, however many are asked for at once', async () => {
  const turns = countTurns();
  const pages = new LargePages();
  const madeAt = await Promise.all(Array.from({ length: 60 }, () => pages.make(async () => turns.now())));
  turns.stop();
  const waits = madeAt.slice(1).map((at, index) => at - (madeAt[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(0);
});

test('a large page that cannot be made fails for whoever asked for it, and for nobody after', async () => {
  const pages = new LargePages();
  const failing = pages.make(() => Promise.reject(new Error('planted')));
  const next = pages.make(async () => 'made');
  await expect(failing).rejects.toThrow('planted');
  expect(await next).toBe('made');
});

test('when too many wait, the next one is refused at once; afterwards all is as before', async () => {
  const pages = new LargePages();
  const asked = Array.from({ length: 310 }, () => pages.make(async () => 'made'));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(300);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await pages.make(async () => 'made')).toBe('made');
});
