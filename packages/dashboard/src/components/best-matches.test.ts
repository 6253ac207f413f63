import { expect, test } from 'vitest';
import { bestMatches, matchOf } from './best-matches.ts';

test.each([
  ['Groups', {}, 'groups', 4],
  ['Zoë Müller', { ids: ['zoe@mail.example'] }, 'ZOE@mail.example', 4],
  ['Groups', {}, 'gro', 3],
  ['API keys', {}, 'key', 2],
  ['Zoë Müller', {}, 'mull zo', 2],
  ['Import clients', { keywords: 'upload file csv' }, 'csv', 1],
  ['Zoë Müller', { ids: ['zoe@mail.example'] }, 'mail', 1],
  ['Groups', {}, 'oups', 0],
  ['Import clients', { keywords: 'upload' }, 'import keys', 0],
  ['Groups', {}, '  ', 0],
  ['Groups', {}, '“', 0],
])('“%s” %j matches “%s” with %i', (label, rest, typed, match) => {
  expect(matchOf({ label, ...rest }, typed)).toBe(match);
});

test('the best match comes first, equal ones stay in their order, and there are at most as many as wanted', () => {
  const labels = ['Great Lakes', 'Lake', 'Lakeside', 'Salt Lake', 'Desert'];
  const found = (limit?: number) =>
    bestMatches(
      labels.map((label) => ({ label })),
      'lake',
      limit,
    ).map(({ entry }) => entry.label);
  expect(found()).toEqual(['Lake', 'Lakeside', 'Great Lakes', 'Salt Lake']);
  expect(found(2)).toEqual(['Lake', 'Lakeside']);
});
