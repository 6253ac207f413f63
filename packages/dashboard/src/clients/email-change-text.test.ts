import { expect, test } from 'vitest';
import { emailChangeText } from './email-change-text.ts';

test.each([
  [{ rows: 1, lines: [3] }, true, '1 row would give a client with the same ID another email: line 3.'],
  [{ rows: 2, lines: [3, 9] }, false, '2 rows gave a client with the same ID another email: lines 3, 9.'],
  [{ rows: 12, lines: [3, 9] }, false, '12 rows gave a client with the same ID another email: lines 3, 9, ….'],
])('%o reads well', (changes, wouldBe, text) => {
  expect(emailChangeText(changes, wouldBe)).toBe(text);
});
