import { expect, test } from 'vitest';
import { clientsExportText } from './export-texts.ts';

test.each([
  ['clients as CSV', 'clients as CSV'],
  ['clients as CSV; group name: North; references: 2', 'clients as CSV; group name: North; selected one by one'],
  ['clients as CSV; references: 12; status: pending', 'clients as CSV; selected one by one; status: pending'],
  ['rejected rows of references: 2', 'rejected rows of references: 2'],
])('the export of %s is called %s', (subject, text) => {
  expect(clientsExportText(subject)).toBe(text);
});
