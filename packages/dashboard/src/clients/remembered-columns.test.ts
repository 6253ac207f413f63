import { expect, test } from 'vitest';
import { fieldsByName, readFields } from './remembered-columns.ts';

test('of what the browser has stored, only what the service accepts is used', () => {
  const right = ['["Who","Notes"]', ['client_name', null]];
  const wrong = [
    ['["Who"]', ['client_name', 'email']],
    ['["Who"]', ['nickname']],
    ['["Who","Name"]', ['client_name', 'client_name']],
  ];
  expect([...readFields(JSON.stringify([right, ...wrong]))]).toEqual([right]);
  for (const stored of [null, '', '{', 'null', '{}', '"text"', '[1]', '[["Who",["email"]]]']) {
    expect([...readFields(stored)]).toEqual([]);
  }
});

test('a file with other columns gets what was chosen last for those of the same name, and each field once', () => {
  const remembered = readFields(
    JSON.stringify([
      ['["Mail","Name","Notes",""]', ['email', 'external_id', null, 'group_name']],
      ['["Mail","Name","Status"]', ['email', 'client_name', null]],
    ]),
  );
  const header = ['Name', 'Mail', 'E-Mail', 'Status', 'Type', ''];
  const suggested = ['client_name', null, 'email', 'request_status', 'client_type', null] as const;
  expect(fieldsByName(remembered, header, [...suggested])).toEqual([
    'client_name',
    'email',
    null,
    null,
    'client_type',
    null,
  ]);
  expect(fieldsByName(remembered, ['Kind', 'Status'], ['client_type', null])).toBeUndefined();
});
