import { expect, test } from 'vitest';
import { chartScale } from './chart-scale.ts';

test.each([
  [0, [0]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [8, [0, 2, 4, 6, 8]],
  [9, [0, 5, 10]],
  [1200, [0, 500, 1000, 1500]],
  [219_648, [0, 100_000, 200_000, 300_000]],
])('a chart of at most %i has the scale %j', (largest, scale) => {
  expect(chartScale(largest)).toEqual(scale);
});
