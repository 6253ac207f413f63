import { expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

test('batches grow while they are fast, and shrink at once when others would have to wait for long', () => {
  const size = new BatchSize(16_000);
  const sizes = [size.rows];
  for (let batch = 0; batch < 6; batch++) {
    size.note(size.rows, size.rows / 100);
    sizes.push(size.rows);
  }
  expect(sizes).toEqual([500, 1000, 2000, 4000, 7000, 7000, 7000]);
  size.note(7000, 700);
  expect(size.rows).toBe(700);
  size.note(700, 60_000);
  expect(size.rows).toBe(250);
});

test('a batch is never larger than the engine allows', () => {
  const size = new BatchSize(4000);
  for (let batch = 0; batch < 10; batch++) size.note(size.rows, 1);
  expect(size.rows).toBe(4000);
  expect(new BatchSize(100).rows).toBe(100);
});
