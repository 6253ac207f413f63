import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedName } from './repeated-name.ts';

const find = (json: string) => repeatedName(json, JSON.parse(json));

test.each([
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"a" : 1,\n"b":2, "a"\t:3}', 'a'],
  ['{"a":"\\":","b":"{\\"a\\":1}"}', undefined],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', undefined],
  ['{"a":{"x":1,"x":2}}', 'x'],
  ['[{"a":1,"a":1}]', 'a'],
  ['"text"', undefined],
  ['7', undefined],
])('the repeated name of %s', (json, name) => {
  expect(find(json)).toBe(name);
});

test('no value that was written by a program has a repeated name', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(find(JSON.stringify(value))).toBeUndefined();
    }),
  );
});
