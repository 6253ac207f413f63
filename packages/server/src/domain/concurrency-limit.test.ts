import { expect, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test('a limited number runs at the same time, a limited number waits, and the rest is refused', async () => {
  const concurrencyLimit = new ConcurrencyLimit({ atOnce: 2, waitingMax: 3, refusal: 'Too many.' });
  let [inside, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => concurrencyLimit.run(work)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const refused = expect.objectContaining({ code: 'rate_limited', message: 'Too many.' });
  expect(outcomes).toContainEqual({ status: 'rejected', reason: refused });
  expect(most).toBe(2);
  await expect(concurrencyLimit.run(work)).resolves.toBeUndefined();
});

test('a task that fails makes room for the next one', async () => {
  const concurrencyLimit = new ConcurrencyLimit({ atOnce: 1, waitingMax: 1, refusal: 'Too many.' });
  await expect(concurrencyLimit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(concurrencyLimit.run(async () => 'yes')).resolves.toBe('yes');
});

test('those who ask take turns, and one with many tasks takes no place from another', async () => {
  const limit = new ConcurrencyLimit({ atOnce: 1, waitingMax: 6, refusal: 'Too many.' });
  const done: string[] = [];
  const task = (who: string) =>
    limit.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      done.push(who);
    }, who);
  const many = Array.from({ length: 10 }, () => task('many'));
  const few = ['a', 'b', 'a', 'c'].map(task);
  const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected');
  await Promise.all(few);
  // The four that waited at the end, besides the one that ran first.
  expect(refused).toHaveLength(10 - 1 - (6 - few.length));
  expect(done).toEqual(['many', 'many', 'a', 'b', 'c', 'many', 'a']);
});
