import { expect, test } from 'vitest';
import { whereText } from './where-text.ts';

test.each([
  [{ rows: 1, lines: [12] }, 'Line 12'],
  [{ rows: 2, lines: [12, 1300] }, 'Lines 12, 1,300'],
  [{ rows: 6, lines: [1, 2, 3, 4, 5, 6] }, 'Lines 1, 2, 3, 4, 5 and 1 other row'],
  // A service of an earlier version tells only the first.
  [{ rows: 3, lines: [12] }, 'Line 12 and 2 other rows'],
])('%o reads well', (where, text) => {
  expect(whereText(where)).toBe(text);
});
