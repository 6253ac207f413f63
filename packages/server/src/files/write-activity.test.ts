import { expect, test } from 'vitest';
import { type ActivityRecord, RECORD_FIELDS } from '../domain/members/index.ts';
import { activityLine } from './write-activity.ts';

test('a line of an export has no character that a program could take for its end, and means the same', () => {
  const fields = RECORD_FIELDS.map((field) => [field, `a\u2028b\u2029c\nd of ${field}`]);
  const record = Object.fromEntries(fields) as ActivityRecord;
  const line = activityLine('ndjson', record);
  expect(line.trimEnd()).not.toMatch(/[\n\u2028\u2029]/);
  expect(JSON.parse(line)).toEqual(record);
});
