import { expect, test } from 'vitest';
import { cut, pad, printable, widthOf } from './text-width.ts';

test.each([
  ['Ann', 3],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['株式', 4],
  ['👩‍👩‍👧', 2],
  ['', 0],
])('%s takes %i cells', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('shortened text fits the width and ends in an ellipsis', () => {
  expect(cut('Annabel', 7)).toBe('Annabel');
  expect(cut('Annabel', 6)).toBe('Annab…');
  expect(cut('株式会社', 6)).toBe('株式…');
  expect(pad(cut('株式会社', 6), 6)).toBe('株式… ');
});

test('joiners are kept, control characters are replaced', () => {
  expect(printable('👩‍👧 a\u200cb')).toBe('👩‍👧 a\u200cb');
  expect(printable('a\x1b[2Jb\u2028c\u009b')).toBe('a�[2Jb�c�');
});
