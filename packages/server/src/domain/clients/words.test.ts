import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchWords, searchedWords, wordsOf, wordsOfClient } from './words.ts';

test.each([
  ['Fatima Okafor', ['fatima', 'okafor']],
  ['fatima.okafor@exam', ['fatima', 'okafor', 'exam']],
  ["Seán O'Brien-Smith", ['sean', 'o', 'brien', 'smith']],
  ['García, garcía GARCIA', ['garcia']],
  ['Straße STRASSE', ['strasse']],
  ['İstanbul Yılmaz', ['istanbul', 'yilmaz']],
  ['Łódź Søren Ægir', ['lodz', 'soren', 'aegir']],
  ['ΟΔΟΣ οδος', ['οδοσ']],
  ['ﬁne Ｆｕｌｌ', ['fine', 'full']],
  ['1729142752266-1557', ['1729142752266', '1557']],
  ['山田 太郎', ['山田', '太郎']],
  ['김민수', ['김민수']],
  ['राम रीमा रोमी', ['राम', 'रीमा', 'रोमी']],
  ['நாகா நிக', ['நாகா', 'நிக']],
  ['がく かく バナ ハナ', ['がく', 'かく', 'バナ', 'ハナ']],
  ['สมหญิง', ['สมหญิง']],
  ['مُحَمَّد שָׁלוֹם', ['محمد', 'שלום']],
  ['علی\u200cرضا Mül\u00adler', ['علیرضا', 'muller']],
  ['Мар\u02bcяна Ка\u02bbахуману', ['мар', 'яна', 'ка', 'ахуману']],
  ['A_B, 100% \\ "x"', ['a', 'b', '100', 'x']],
  ['-- @ \u{1f98a}', []],
  ['', []],
])('the words of %s are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('a client is found by its name, its email and its reference', () => {
  const client = { name: 'Fatima Okafor', email: 'fatima@mail.example', reference_id: '1729142752266-1557' };
  const words = ['fatima', 'okafor', 'mail', 'example', '1729142752266', '1557'];
  expect(wordsOfClient({ ...client, external_id: null })).toEqual(words);
  expect(wordsOfClient({ ...client, external_id: 'CRM-1815' })).toEqual([...words, 'crm', '1815']);
});

test('a word that is too long is cut in the same way in clients and searches, and never within a character', () => {
  const long = 'x'.repeat(100);
  expect(wordsOf(long)).toEqual(['x'.repeat(64)]);
  expect(matchWords(wordsOf(long), searchedWords(long))).toBe(true);
  expect(wordsOf(`${'x'.repeat(63)}\u{20000}y`)).toEqual(['x'.repeat(63)]);
});

test('whatever the text, its words have only letters, marks and digits, and it is found by them and by their beginnings', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const words = wordsOf(text);
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,64}$/u);
      expect(wordsOf(words.join(' '))).toEqual(words);
      for (const word of words) expect(matchWords(words, wordsOf([...word].slice(0, 2).join('')))).toBe(true);
      if (words.length > 0 && words.length <= 20) expect(matchWords(words, searchedWords(text))).toBe(true);
    }),
  );
});

test('all searched words must match, in any order, and without a word nobody matches', () => {
  const own = wordsOf('Fatima Okafor');
  expect(matchWords(own, searchedWords('oka FAT'))).toBe(true);
  expect(matchWords(own, searchedWords('okafor fatou'))).toBe(false);
  expect(matchWords(own, searchedWords('kafor'))).toBe(false);
  expect(matchWords(own, searchedWords('@'))).toBe(false);
});

test('a searched word that another one implies is left out, and too many words are refused', () => {
  expect(searchedWords('del de delia maria')).toEqual(['delia', 'maria']);
  const many = Array.from({ length: 20 }, (_, index) => `w${10 + index}`);
  expect(searchedWords(many.join(' '))).toEqual(many);
  expect(() => searchedWords([...many, 'more'].join(' '))).toThrow('search must have at most 20 words.');
});
