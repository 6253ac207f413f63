import { expect, test } from 'vitest';
import { inList } from './current-client.ts';

const list = (...ids: string[]) => ids;

test.each([
  ['the first one of a new list is current', { ids: [], id: undefined }, list('a', 'b'), 'a'],
  ['a client stays current while others come and go', { ids: list('a', 'b', 'c'), id: 'b' }, list('x', 'b'), 'b'],
  [
    'when it leaves, the next one that is still there follows',
    { ids: list('a', 'b', 'c', 'd'), id: 'b' },
    list('a', 'd'),
    'd',
  ],
  ['when the last one leaves, the one before it follows', { ids: list('a', 'b'), id: 'b' }, list('a'), 'a'],
  ['when its place is unknown, the first one follows', { ids: [], id: 'x' }, list('a', 'b'), 'a'],
  ['of an empty list, none is current', { ids: list('a'), id: 'a' }, list(), undefined],
  ['one that comes back becomes current', { ids: list('b'), id: 'b', awaited: 'a' }, list('a', 'b'), 'a'],
  ['until then, nothing changes', { ids: list('b', 'c'), id: 'c', awaited: 'a' }, list('b', 'c', 'd'), 'c'],
])('%s', (_promise, before, ids, expected) => {
  expect(inList(before, ids).id).toBe(expected);
});

test('a client is awaited until it has come back, and only once', () => {
  const waiting = inList({ ids: list('b'), id: 'b', awaited: 'a' }, list('b', 'c'));
  expect(waiting.awaited).toBe('a');
  expect(inList(waiting, list('a', 'b')).awaited).toBeUndefined();
});
