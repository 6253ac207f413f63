import { expect, test } from 'vitest';
import { reasonText, wrongColumns } from './reason-text.ts';

test('all that is wrong with a row is told in one sentence, and every wrong cell is known', () => {
  const reason =
    'client_type, group_name must not be empty; email must be an email address; group_token must be a UUID';
  expect(reasonText(reason)).toBe(
    'Client type and group must not be empty; email must be an email address; group token must be a UUID',
  );
  expect(wrongColumns(reason)).toEqual(['client_type', 'group_name', 'email', 'group_token']);
});

test('a reason that is about the row as a whole stays as it is', () => {
  const reason = 'the cell A2 has a formula without a result; open the file in Excel and save it again';
  expect(reasonText(reason)).toBe(`T${reason.slice(1)}`);
});
