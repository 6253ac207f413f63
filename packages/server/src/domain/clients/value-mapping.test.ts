import { expect, test } from 'vitest';
import { toValueMapping } from './value-mapping.ts';

test('values are written as field:value:word, in any letter case, and may have colons', () => {
  expect(toValueMapping(['client_type:Person:individual', 'Client_Status: A:B :Inactive'])).toEqual({
    client_type: { person: 'individual' },
    client_status: { 'a:b': 'inactive' },
  });
  expect(toValueMapping([])).toBeUndefined();
});

test.each<[string[], string]>([
  [['client_type:Person'], 'values must be field:value:word, where field is one of client_type, request_status,'],
  [['group_name:Nord:North'], 'values must be field:value:word'],
  [['toString:a:b'], 'values must be field:value:word'],
  [['client_type:Person:man'], 'values must give client_type one of individual, company.'],
  [['client_type:Company:individual'], 'values must not give client_type:company another meaning.'],
  [['client_type:a:company', 'client_type:A:individual'], 'values has client_type:a twice.'],
  [[`client_type:${'x'.repeat(61)}:company`], 'values must have values of 1 to 60 characters.'],
  [['client_type::company'], 'values must have values of 1 to 60 characters.'],
  [Array.from({ length: 61 }, (_, index) => `client_type:${index}:company`), 'values must have at most 60 values.'],
])('%j is refused', (entries, message) => {
  expect(() => toValueMapping(entries)).toThrow(message);
});
