import { expect, test } from 'vitest';
import { isDone, resultShownMs } from './result-time.ts';

const MINUTE_MS = 60_000;

const done = { state: 'completed', undoes: null, total_count: 12, changed: 10, refused: 0, undoable: 0 } as const;
const undo = { ...done, undoes: 'chg_1', total_count: 10 } as const;

test.each([
  ['a change', done],
  ['an undo', undo],
])('the result of %s with which nothing is left to do goes after a minute and is shown once', (_, change) => {
  expect(resultShownMs(change)).toBe(MINUTE_MS);
  expect(isDone(change)).toBe(true);
});

test.each([
  ['of which something can be undone', { ...done, undoable: 1 }],
  ['that says why something was not changed', { ...done, changed: 9, refused: 1 }],
  ['that has stopped', { ...done, state: 'failed' as const }],
  ['that says how many clients an undo has left alone', { ...undo, changed: 9 }],
  ['that says why an undo has not put something back', { ...undo, changed: 9, refused: 1 }],
])('a result %s stays', (_, change) => {
  expect(resultShownMs(change)).toBeGreaterThan(10 * MINUTE_MS);
  expect(isDone(change)).toBe(false);
});
