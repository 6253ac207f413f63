import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { isGuessable } from './guessable-password.ts';

test('the most common passwords are refused, also with a digit, a capital letter or a sign', async () => {
  const common = (dictionary['passwords-common'] as string[]).slice(0, 3000);
  expect(common).toContain('baseball');
  for (const [index, password] of common.entries()) {
    expect(await isGuessable(password, []), password).toBe(true);
    if (index % 20 > 0) continue;
    const variations = [`${password}1`, `${password.slice(0, 1).toUpperCase()}${password.slice(1)}!`];
    for (const each of variations) expect(await isGuessable(each, []), each).toBe(true);
  }
});

test.each([
  'Rollcall2026',
  'rollcallrollcall',
  'anna.schmidt@firm.example',
  'AnnaSchmidt1990',
  'schmidtschmidt12',
  'Brightwater123!',
  'Brightw4ter2026',
])('%s resembles what others know about the member', async (password) => {
  expect(await isGuessable(password, ['anna.schmidt@firm.example', 'Brightwater Advisory'])).toBe(true);
});

test.each(['otters juggle seven lanterns', 'w4lrus-x', 'kx7-pq2vam', 'nine purple walruses waltz'])(
  '%s may be used',
  async (password) => {
    expect(await isGuessable(password, ['anna.schmidt@firm.example', 'Brightwater Advisory'])).toBe(false);
  },
);
