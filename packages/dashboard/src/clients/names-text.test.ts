import { expect, test } from 'vitest';
import { namesText } from './names-text.ts';

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus'];

test.each([
  [['Ann'], 1, 'Ann'],
  [['Ann', 'Bob'], 2, 'Ann and Bob'],
  [['Ann', 'Bob', 'Cleo'], 3, 'Ann, Bob and Cleo'],
  [['Ann', 'Bob', 'Cleo', 'Dan'], 4, 'Ann, Bob, Cleo and 1 other'],
  [NAMES, 7, 'Ann, Bob, Cleo and 4 others'],
  [['Ann'], 1200, 'Ann and 1,199 others'],
])('of %j, who are %i clients, a few are named and the others counted', (names, count, text) => {
  expect(namesText(names, count)).toBe(text);
});
