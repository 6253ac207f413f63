import { expect, test } from 'vitest';
import { durationText, timeLeftText } from './time-left.ts';

test.each([
  [0, 'a few seconds left'],
  [4, 'a few seconds left'],
  [11, 'about 15 seconds left'],
  [59, 'about 60 seconds left'],
  [60, 'about 1 minute left'],
  [130, 'about 2 minutes left'],
  [5399, 'about 90 minutes left'],
  [7300, 'about 2 hours left'],
])('%i seconds are %s', (seconds, text) => {
  expect(timeLeftText(seconds)).toBe(text);
});

test.each([
  [300, 'Less than a second'],
  [1200, '1 second'],
  [119_000, '119 seconds'],
  [150_000, '3 minutes'],
  [7_200_000, '2 hours'],
])('%i milliseconds are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
