import { expect, test } from 'vitest';
import { readFields } from './remembered-columns.ts';

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
