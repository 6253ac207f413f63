import { expect, test } from 'vitest';
import { elsewhereText, emailChangeText, repeatsText } from './counted-rows-text.ts';

test.each([
  [{ rows: 1, lines: [3] }, true, '1 row would give a client with the same ID another email: line 3.'],
  [{ rows: 2, lines: [9, 3] }, false, '2 rows gave a client with the same ID another email: lines 3, 9.'],
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

test.each([
  [
    { rows: 2, lines: [28, 31] },
    true,
    '2 rows would replace what an earlier row of the file says about the same client: lines 28, 31.',
  ],
  [
    { rows: 1, lines: [3] },
    false,
    '1 row replaced what an earlier row of the file says about the same client: line 3.',
  ],
])('%o of clients that are in the file more than once reads well', (repeats, wouldBe, text) => {
  expect(repeatsText(repeats, wouldBe)).toBe(text);
});
