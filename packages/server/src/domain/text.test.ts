import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './text.ts';

test.each([
  ['É', 'e\u0301'],
  ['É', 'E\u0301'],
  ['\u212A', 'k'],
  ['İstanbul', 'i\u0307stanbul'],
  ['  Ada ', 'ADA'],
  ['\u00A0Ada', 'ada'],
  ['ÅNGSTRÖM', '\u212Bngström'],
])('%j and %j are the same text', (a, b) => {
  expect(fold(a)).toBe(fold(b));
});

test.each([
  ['a%', 'ab'],
  ['straße', 'strasse'],
  ['ı', 'i'],
  ['a b', 'ab'],
])('%j and %j are different texts', (a, b) => {
  expect(fold(a)).not.toBe(fold(b));
});

test('folding a folded text changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});
