import { expect, test } from 'vitest';
import { parseRow, problemsIn } from './parse-row.ts';
import { toValueMapping } from './value-mapping.ts';

const RIGHT = { email: 'a@mail.example', client_name: 'Ada', client_type: 'company', group_name: 'North' };

test('a row tells all its problems at once, one for each cell that is wrong', () => {
  const cells = {
    email: 'no-at-sign',
    client_name: '',
    client_type: 'firm',
    group_name: 'x'.repeat(121),
    request_status: 'In Progress',
    client_status: 'gone',
    created_at: 'yesterday',
    reference_id: '1',
    group_token: 'north',
    external_id: 'a,b',
  };
  const reason = parseRow({ line: 2, cells });
  expect(typeof reason).toBe('string');
  const problems = problemsIn(String(reason));
  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(cells).sort());
  expect(problems[0]).toBe('client_name must not be empty');
  expect(problems).toContain(
    'created_at must be a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z, not “yesterday”',
  );
});

test('a reason that is not about cells is one problem, whatever signs it has', () => {
  const reason = 'the cell A2 has a formula without a result; open the file in Excel and save it again';
  expect(problemsIn(String(parseRow({ line: 2, cells: RIGHT, unreadable: reason })))).toEqual([reason]);
});

test('values that mean one of our words are read as such, in any letter case, and others are quoted', () => {
  const values = toValueMapping(['client_type:Natürliche Person:individual', 'client_status:a:b:inactive']);
  const read = (cells: object) => parseRow({ line: 2, cells: { ...RIGHT, ...cells } }, { values });
  expect(read({ client_type: ' NATÜRLICHE person', client_status: 'A:B' })).toMatchObject({
    type: 'individual',
    status: 'inactive',
  });
  expect(read({ client_type: 'Company' })).toMatchObject({ type: 'company' });
  expect(read({ client_type: '__proto__' })).toBe('client_type must be one of individual, company, not “__proto__”');
  expect(read({ client_type: `a\nb\u202e${'x'.repeat(100)}` })).toBe(
    `client_type must be one of individual, company, not “a b ${'x'.repeat(56)}…”`,
  );
  expect(read({ client_type: 'x'.repeat(60) })).toBe(
    `client_type must be one of individual, company, not “${'x'.repeat(60)}”`,
  );
  expect(toValueMapping(['client_type:__proto__:company'])).not.toEqual({ client_type: {} });
});
