import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { pickFields, problemsOf } from './check-schema.ts';

const Person = Type.Object({ name: Type.String({ maxLength: 5 }), age: Type.Optional(Type.Integer({ minimum: 1 })) });
const Team = Type.Object({ lead: Type.Union([Type.Null(), Person]), members: Type.Array(Person, { maxItems: 2 }) });

test.each<[unknown, string[]]>([
  [{ lead: null, members: [] }, []],
  [{ lead: { name: 'Ada' }, members: [{ name: 'Bob', age: 2 }] }, []],
  [[], ['The body must be an object.']],
  [{ lead: 7, members: [] }, ['lead must be an object.']],
  [{ lead: null }, ['members is missing.']],
  [{ lead: null, members: {} }, ['members must be a list.']],
  [{ lead: null, members: [{}, {}, {}] }, ['members must have at most 2 entries.']],
  [{ lead: null, members: [{ name: 'Bartholomew' }] }, ['members.name must have at most 5 characters.']],
  [
    { lead: { name: 'A\0', age: 0 }, members: [] },
    ['lead.name must not contain a NUL character.', 'lead.age must be a whole number from 1 to 9007199254740991.'],
  ],
  [
    { lead: null, members: [], 'x\ny': 1, '': 2 },
    [
      expect.stringMatching(/^x\?y is not a field\. The fields are /),
      expect.stringMatching(/^\(empty name\) is not a field/),
    ],
  ],
])('the problems of %j', (form, messages) => {
  expect(problemsOf(Team, form).map(({ message }) => message)).toEqual(messages);
});

test('only the fields of the schema leave, at every depth, and the original is not changed', () => {
  const secret = { name: 'Ada', age: 3, password: 'secret' };
  const team = { lead: secret, members: [secret, { name: 'Bob', hash: 'secret' }], token: 'secret' };
  expect(pickFields(Team, team)).toEqual({
    lead: { name: 'Ada', age: 3 },
    members: [{ name: 'Ada', age: 3 }, { name: 'Bob' }],
  });
  expect(pickFields(Team, { lead: null, members: [] })).toEqual({ lead: null, members: [] });
  expect(pickFields(Type.Null(), null)).toBeNull();
  expect(team.members[1]).toHaveProperty('hash');
});

test('for a misspelt field, the right one is suggested', () => {
  const [problem] = problemsOf(Team, { lead: { nam: 'Ada' }, members: [] });
  expect(problem?.message).toBe('lead.nam is not a field; did you mean name?');
});

test('a form with a hundred thousand fields that do not exist is refused like any other', () => {
  const fields = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`field${index}`, 0]));
  expect(problemsOf(Team, { lead: fields, members: [] })[0]?.message).toMatch(/^lead\.field0 is not a field/);
  const rows = Array.from({ length: 2 }, () => fields);
  expect(problemsOf(Team, { lead: null, members: rows })[0]?.message).toMatch(/^members\.field0 is not a field/);
});

test('half of a surrogate pair is not called a NUL character', () => {
  const [problem] = problemsOf(Person, { name: 'A\ud800' });
  expect(problem?.message).toBe('name is not valid UTF-8 text.');
});

test('an answer that lacks a required field is a defect, and not sent without it', () => {
  expect(() => pickFields(Team, { lead: null })).toThrow('lacks the field members');
  expect(() => pickFields(Type.Record(Type.String(), Type.Integer()), { a: 1 })).toThrow(
    'says nothing about the fields',
  );
});
