import { expect, test } from 'vitest';
import { rollcall } from '../bench/peers/rollcall.ts';
import { temporaryFolder } from '../packages/server/src/testing/test-store.ts';

test('a command that is measured tells how much time and memory it needed', async () => {
  const database = `sqlite:${temporaryFolder()}/rollcall.db`;
  const { stdout, seconds, cpuSeconds, peakMb } = await rollcall(database, ['migrate']);
  expect(stdout).not.toBe('');
  expect(seconds).toBeGreaterThan(0);
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(peakMb).toBeGreaterThan(20);
});
