import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { checkForm, pickFields, problemsOf, requireCheckable } from './check-schema.ts';

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

test('what is checked is what is kept: spaces around texts belong to passwords and query strings only', () => {
  const schema = Type.Object({
    name: Type.String({ maxLength: 5 }),
    note: Type.Union([Type.Null(), Type.String({ maxLength: 5 })]),
    words: Type.Array(Type.String({ maxLength: 5 })),
    token: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['a']),
    password: Type.String({ format: 'password', maxLength: 5 }),
    filters: Type.String({ format: 'query-string', maxLength: 5 }),
  });
  const given = {
    name: `${' '.repeat(100)}Ada\u2003`,
    note: '\n x ',
    words: ['\ufeffa', 'b '],
    token: ' 0B8E6F0A-3C7D-4F0E-9A51-5F6D2F1C7E90',
    kind: 'a',
    password: ' ab ',
    filters: ' a= ',
  };
  expect(checkForm(schema, given)).toEqual({
    problems: [],
    form: { ...given, name: 'Ada', note: 'x', words: ['a', 'b'], token: '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90' },
  });
  expect(given.note).toBe('\n x ');
  const long = { ...given, password: ' '.repeat(6), filters: ' '.repeat(6), kind: ' a' };
  expect(problemsOf(schema, long).map(({ field }) => field)).toEqual(['kind', 'password', 'filters']);
});

test('a list that is too short is refused', () => {
  const schema = Type.Object({ few: Type.Array(Type.Integer(), { minItems: 2 }) });
  expect(problemsOf(schema, { few: [] })[0]?.message).toBe('few must not be empty.');
  expect(problemsOf(schema, { few: [1] })[0]?.message).toBe('few must have at least 2 entries.');
  expect(problemsOf(schema, { few: [1, 2] })).toEqual([]);
});

test.each([
  [Type.Integer({ multipleOf: 5 }), 'multipleOf'],
  [Type.Number(), 'a value of the type number'],
  [Type.Literal('sig'), 'const'],
  [Type.String({ format: 'uri' }), 'uri'],
  [Type.Array(Type.String(), { uniqueItems: true }), 'uniqueItems'],
  [
    Type.Union([Type.Null(), Type.Object({ deep: Type.Array(Type.String({ contentEncoding: 'x' })) })]),
    'contentEncoding',
  ],
])('a schema that states something that is not checked is a defect: %j', (field, unchecked) => {
  expect(() => requireCheckable('/path', Type.Object({ field }))).toThrow(unchecked);
  expect(() => requireCheckable('/path', Team)).not.toThrow();
});
