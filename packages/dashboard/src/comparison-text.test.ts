import { expect, test } from 'vitest';
import { comparisonText, percentText } from './comparison-text.ts';

test.each([
  [0, 0, '0%'],
  [1, 4, '25%'],
  [1, 250, '0.4%'],
  [1, 1_000_000, '<0.1%'],
  [1999, 2000, '>99.9%'],
  [199, 200, '99.5%'],
  [7, 7, '100%'],
])('%i of %i is %s', (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text);
});

test.each([
  [0, 0, 'none in the 7 days before'],
  [5, 0, 'none in the 7 days before'],
  [5, 5, 'as many as in the 7 days before'],
  [6, 5, '20% more than in the 7 days before'],
  [19, 5, '280% more than in the 7 days before'],
  [20, 5, '4 times as many as in the 7 days before'],
  [24_900, 100, '249 times as many as in the 7 days before'],
  [25_000, 6, 'about 4,167 times as many as in the 7 days before'],
  [278, 1, '1 in the 7 days before'],
  [0, 4, '4 in the 7 days before'],
  [4, 4, 'as many as in the 7 days before'],
  [0, 5, '100% fewer than in the 7 days before'],
])('%i after %i is “%s”', (now, before, text) => {
  expect(comparisonText(now, before, '7 days')).toBe(text);
});
