import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
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
