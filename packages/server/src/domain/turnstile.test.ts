import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

test('as many as may are inside at once, the others wait their turn, and a crowd is turned away', async () => {
  const turnstile = new Turnstile({ atOnce: 2, waitingMax: 3 });
  let [inside, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => turnstile.pass(work)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(most).toBe(2);
  await expect(turnstile.pass(work)).resolves.toBeUndefined();
});

test('whoever fails inside still makes room', async () => {
  const turnstile = new Turnstile({ atOnce: 1, waitingMax: 1 });
  await expect(turnstile.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(turnstile.pass(async () => 'yes')).resolves.toBe('yes');
});
