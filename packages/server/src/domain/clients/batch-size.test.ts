import { expect, test } from 'vitest';
import { BatchSize, PART, TRANSACTION } from './batch-size.ts';

test('parts grow while they are fast, and shrink at once when others would have to wait for long', () => {
  const size = new BatchSize(PART, 16_000);
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
  const [size, small] = [new BatchSize(PART, 16_000), new BatchSize(PART, 400)];
  for (let part = 0; part < 10; part++) for (const each of [size, small]) each.note(each.rows, 1);
  expect(size.rows).toBe(1000);
  expect(small.rows).toBe(400);
  expect(new BatchSize(PART, 100).rows).toBe(100);
});

test('a few rows at the end say nothing about many, unless they take long', () => {
  const size = new BatchSize(TRANSACTION, 4000);
  size.note(5, 20);
  expect(size.rows).toBe(1000);
  size.note(400, 70);
  expect(size.rows).toBe(200);
});

test('rows that were too many for the database are halved until few are left', () => {
  const size = new BatchSize(TRANSACTION, 4000);
  const sizes = Array.from({ length: 5 }, () => {
    size.halve();
    return size.rows;
  });
  expect(sizes).toEqual([500, 250, 125, 100, 100]);
});
