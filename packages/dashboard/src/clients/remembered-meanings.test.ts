import { expect, test } from 'vitest';
import { readMeanings } from './remembered-meanings.ts';

test('of what the browser has stored, only what the service accepts is used', () => {
  const right = { 'client_type:Person': 'individual', 'request_status:a:b': 'pending' };
  const wrong = {
    'client_type:Firma': 'firm',
    'client_name:x': 'individual',
    'client_status:x': 1,
    'client_type:': '',
  };
  expect(readMeanings(JSON.stringify({ ...right, ...wrong }))).toEqual(right);
  for (const stored of [null, '', '{', 'null', '[]', '"text"']) expect(readMeanings(stored)).toEqual({});
});
