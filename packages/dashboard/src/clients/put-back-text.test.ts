import { expect, test } from 'vitest';
import { putBackText } from './put-back-text.ts';

const refused = (...reasons: string[]) => reasons.map((reason) => ({ reference_id: '1-0001', reason }));

test.each([
  ['Put back: Ada.', { changed: 1, refused: [] }, 'Ada'],
  ['Put back: Vargas S.A.', { changed: 1, refused: [] }, 'Vargas S.A.'],
  ['Put back: 1 client.', { changed: 1, refused: [] }, undefined],
  ['Put back: 2 clients.', { changed: 2, refused: [] }, undefined],
  [
    'Put back: 2 clients. 2 not: Changed since.',
    { changed: 2, refused: refused('Changed since.', 'Changed since.') },
    undefined,
  ],
  ['Nothing was put back. Changed since.', { changed: 0, refused: refused('Changed since.') }, 'Ada'],
])('an undo says what became of the clients: %s', (text, answer, name) => {
  expect(putBackText(answer, name)).toBe(text);
});
