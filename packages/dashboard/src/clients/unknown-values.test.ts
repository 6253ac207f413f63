import { expect, test } from 'vitest';
import type { FilePreview } from '#contract/clients/files.ts';
import { chosenValues, unknownValuesIn, withMeaning } from './unknown-values.ts';

const preview: FilePreview = {
  columns: ['Art', 'Stand', ''],
  rows: [],
  total: 3,
  dates: ['iso', 'iso', 'iso'],
  mixed_dates: [null, null, null],
  values: [['Person', 'COMPANY'], ['offen', 'pending'], null],
};

test('only values that are none of our words are asked for, in columns that accept only a few words', () => {
  expect(unknownValuesIn(preview, ['client_type', 'group_name', null])).toEqual([
    { field: 'client_type', column: 'Art', values: ['Person'] },
  ]);
  expect(unknownValuesIn(preview, [null, 'request_status', 'client_status'])).toEqual([
    { field: 'request_status', column: 'Stand', values: ['offen'] },
    { field: 'client_status', column: 'A column without a name', values: null },
  ]);
  expect(unknownValuesIn({ ...preview, values: [['Company'], [], []] }, ['client_type', null, null])).toEqual([]);
});

test('what was chosen is sent as long as the column is imported as the same field', () => {
  const meanings = withMeaning(withMeaning({}, 'client_type', 'Person', 'individual'), 'request_status', 'offen', '');
  const chosen = (fields: Parameters<typeof unknownValuesIn>[1]) =>
    chosenValues(unknownValuesIn(preview, fields), meanings);
  expect(chosen(['client_type', 'request_status', null])).toEqual(['client_type:Person:individual']);
  expect(chosen(['group_name', 'request_status', null])).toEqual([]);
});
