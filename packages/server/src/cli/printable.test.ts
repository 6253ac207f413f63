import { expect, test } from 'vitest';
import { formatTable } from './output.ts';
import { printable, printableLines } from './printable.ts';

test.each([
  ['clear\x1b[2J', 'clear\\x1b[2J'],
  ['ring\x07', 'ring\\x07'],
  ['over\rwritten', 'over\\x0dwritten'],
  ['C1 \x9b2J', 'C1 \\x9b2J'],
  ['turned \u202egnp.exe', 'turned \\u202egnp.exe'],
  ['isolated \u2066x\u2069', 'isolated \\u2066x\\u2069'],
  ['new\nline\u2028', 'new\\x0aline\\u2028'],
  ['tagged \u{e0041}', 'tagged \\u{e0041}'],
  ['Zoë 株式 👩‍👧 \u0646\u200c\u0627', 'Zoë 株式 👩‍👧 \u0646\u200c\u0627'],
])('%j is shown on a terminal as %j', (name, shown) => {
  expect(printable(name)).toBe(shown);
});

test('our own line breaks are kept, and those in a cell are escaped', () => {
  expect(printableLines('one\x1b\ntwo')).toBe('one\\x1b\ntwo');
  expect(formatTable(['NAME', 'N'], [['a\nb', '1']])).toBe('NAME    N\na\\x0ab  1');
});
