import { expect, test } from 'vitest';
import { elsewhereText, emailChangeText } from './email-change-text.ts';

test.each([
  [{ rows: 1, lines: [3] }, true, '1 row would give a client with the same ID another email: line 3.'],
  [{ rows: 2, lines: [3, 9] }, false, '2 rows gave a client with the same ID another email: lines 3, 9.'],
  [{ rows: 12, lines: [3, 9] }, false, '12 rows gave a client with the same ID another email: lines 3, 9, ….'],
])('%o reads well', (changes, wouldBe, text) => {
  expect(emailChangeText(changes, wouldBe)).toBe(text);
});

test.each([
  [{ rows: 1, lines: [3] }, true, '1 row would add a client whose email another group has: line 3.'],
  [{ rows: 12, lines: [3, 9] }, false, '12 rows added a client whose email another group has: lines 3, 9, ….'],
])('%o of clients that were added reads well', (added, wouldBe, text) => {
  expect(elsewhereText(added, wouldBe)).toBe(text);
});
