import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('calls during a run share one that starts after it, and a failure is reported only to its own callers', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const load = oneAtATime(() => {
    const run = Promise.withResolvers<void>();
    begun.push(run);
    return run.promise;
  });

  const first = load();
  await Promise.resolve();
  const [second, third] = [load(), load()];
  expect(begun).toHaveLength(1);

  begun[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  expect(begun).toHaveLength(2);
  begun[1]?.resolve();
  await Promise.all([second, third]);

  const fourth = load();
  await Promise.resolve();
  expect(begun).toHaveLength(3);
  begun[2]?.resolve();
  await fourth;
});
