import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { sheetNames } from './workbook-sheets.ts';

test.each([
  ['Clients &amp; others', 'Clients & others'],
  ['Bob&#39;s &#x201C;new&#x201D; clients', "Bob's “new” clients"],
  ['&amp;#39;', '&#39;'],
  ['a'.repeat(1000), 'a'.repeat(100)],
  ['&#9999999; &unknown; &#;', '&#9999999; &unknown; &#;'],
])('the sheet that is written as %s is called %s', (written, name) => {
  const files = { 'xl/workbook.xml': strToU8(`<sheets><sheet name="${written}" sheetId="1"/></sheets>`) };
  expect(sheetNames(files)).toEqual([name]);
});
