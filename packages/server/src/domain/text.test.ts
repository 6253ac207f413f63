import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, problemWithEmail, problemWithName, problemWithText } from './text.ts';

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

test.each([
  // Persian, with a zero width non-joiner; Sinhala, with a joiner; Hebrew and Latin, with marks; an emoji of several.
  ...['می\u200cخواهم', 'ශ්\u200dරී', '\u200fחברה ABC\u200e', '👩\u200d💼 Ada', 'e\u0301', '株式会社', '\u061cع'],
])('%j is a name', (name) => {
  expect(problemWithName(name, 50)).toBeUndefined();
});

test.each(['\u200b', ' \u200d ', '\u2800', '\u3164', '\u00ad\ufe0f', '\u0001', '\u200e\u200f'])(
  '%j is no name, because nobody can see it',
  (name) => {
    expect(problemWithName(name, 50)).toBe('must contain a character that can be seen');
  },
);

test.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'a name with %j is refused, and a text with it is not',
  (control) => {
    expect(problemWithName(`a${control}b`, 50)).toMatch(/^must not contain the invisible character U\+20[26]/);
    expect(problemWithText(`a${control}b`, 50)).toBeUndefined();
  },
);

test.each([
  'ada@mail.example',
  'ada.o’neil+news@mail.example',
  'ada@localhost',
  'müller@bücher.example',
  ' ada@mail.example ',
])('%j is an email address', (email) => {
  expect(problemWithEmail(email)).toBeUndefined();
});

test.each([
  ...['ada', '@mail.example', 'ada@', 'ada@@mail.example', 'ada lovelace@mail.example'],
  ...[
    'ada@mail..example',
    'ada@mail.example,',
    'ada@.example',
    'ada@mail.',
    'ada@mail.example;bob@mail.example',
    '<ada@mail.example>',
  ],
])('%j is no email address', (email) => {
  expect(problemWithEmail(email)).toBe('must be an email address');
});
