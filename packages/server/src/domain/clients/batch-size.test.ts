import { expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

test('parts grow while they are fast, and shrink at once when others would have to wait for long', () => {
  const size = new BatchSize(16_000);
  const sizes = [size.rows];
  for (let part = 0; part < 4; part++) {
    size.note(size.rows, size.rows / 30);
    sizes.push(size.rows);
  }
  expect(sizes).toEqual([250, 500, 750, 750, 750]);
  size.note(750, 75);
  expect(size.rows).toBe(250);
  size.note(250, 60_000);
  expect(size.rows).toBe(100);
});

test('however fast rows were, the next part does not have too many, nor more than the engine allows', () => {
  const [size, small] = [new BatchSize(16_000), new BatchSize(400)];
  for (let part = 0; part < 10; part++) for (const each of [size, small]) each.note(each.rows, 1);
  expect(size.rows).toBe(1000);
  expect(small.rows).toBe(400);
  expect(new BatchSize(100).rows).toBe(100);
});
