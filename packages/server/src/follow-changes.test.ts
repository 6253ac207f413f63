import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from './domain/failure.ts';
import { followChanges } from './follow-changes.ts';

test('caches are loaded at every change, and several times a minute even without one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let loads = 0;
  let change = () => {};
  const cache = { load: async () => void loads++ };
  const onChange = (listener: () => void) => {
    change = listener;
    return () => {};
  };
  const { stop } = followChanges({ onChange, unchangedAt: () => 0 }, [cache], pino({ level: 'silent' }));
  change();
  expect(loads).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toBe(5);
  await stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toBe(5);
});

test('the lag is small while changes are looked for, and grows while they cannot be loaded', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isAvailable = true;
  let change = () => {};
  const cache = {
    load: async () => {
      if (!isAvailable) throw new Failure('unavailable', 'The database is away.');
    },
  };
  const onChange = (listener: () => void) => {
    change = listener;
    return () => {};
  };
  const unchangedAt = () => performance.now() - 100;
  const changes = followChanges({ onChange, unchangedAt }, [cache], pino({ level: 'silent' }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changes.lagMs()).toBe(100);
  change();
  await vi.advanceTimersByTimeAsync(1000);
  expect(changes.lagMs()).toBe(100);
  isAvailable = false;
  change();
  await vi.advanceTimersByTimeAsync(2000);
  expect(changes.lagMs()).toBeGreaterThanOrEqual(3000);
  isAvailable = true;
  change();
  await vi.advanceTimersByTimeAsync(0);
  expect(changes.lagMs()).toBeLessThanOrEqual(100);
  await changes.stop();
});
