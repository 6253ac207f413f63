import { expect, test } from 'vitest';
import { bestMatches, matcherOf, partMatcherOf } from './best-matches.ts';

test.each([
  ['Groups', {}, 'groups', 4],
  ['Zoë Müller', { ids: ['zoe@mail.example'] }, 'ZOE@mail.example', 4],
  ['Groups', {}, 'gro', 3],
  ['API keys', {}, 'key', 2],
  ['Zoë Müller', {}, 'mull zo', 2],
  ['Groß & Øster', {}, 'gross ost', 2],
  ['Import clients', { keywords: 'upload file csv' }, 'csv', 1],
  ['Zoë Müller', { ids: ['zoe@mail.example'] }, 'mail', 1],
  ['Groups', {}, 'oups', 0],
  ['Import clients', { keywords: 'upload' }, 'import keys', 0],
  ['Groups', {}, '  ', 0],
  ['Groups', {}, '“', 0],
])('“%s” %j matches “%s” with %i', (label, rest, typed, match) => {
  expect(matcherOf(typed)({ label, ...rest })).toBe(match);
});

test.each([
  ['Zürich', 'zürich', 4],
  ['Zürich', 'ZUR', 3],
  ['Zu\u0308rich', 'zür', 3],
  ['Region Zürich', 'zur', 2],
  ['Firmenkunden Zürich', 'kunden z', 1],
  ['Firmenkunden', 'kündén', 1],
  ['A – B', '–', 1],
  ['Basel', 'zur', 0],
])('the group “%s” matches “%s” with %i', (label, typed, match) => {
  expect(partMatcherOf(typed)({ label })).toBe(match);
});

test('the best match comes first, equal ones stay in their order, and there are at most as many as wanted', () => {
  const labels = ['Great Lakes', 'Lake', 'Lakeside', 'Salt Lake', 'Desert'];
  const found = (limit?: number) =>
    bestMatches(
      labels.map((label) => ({ label })),
      matcherOf('lake'),
      limit,
    ).map(({ entry }) => entry.label);
  expect(found()).toEqual(['Lake', 'Lakeside', 'Great Lakes', 'Salt Lake']);
  expect(found(2)).toEqual(['Lake', 'Lakeside']);
});
