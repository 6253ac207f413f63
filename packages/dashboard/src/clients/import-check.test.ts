import { expect, test } from 'vitest';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { findsChanges, needsCheck, tellsAbout } from './import-check.ts';
import type { SentChoices } from './import-file.ts';

const sent = (choices: Partial<SentChoices>): SentChoices => ({
  fields: undefined,
  filled: {},
  dates: undefined,
  values: [],
  setsStatus: false,
  keepsStatus: false,
  mayMove: false,
  ...choices,
});

test.each([
  ['a file that only adds clients', {}, false],
  ['one that sets statuses', { setsStatus: true }, true],
  ['one whose statuses are not used', { setsStatus: true, keepsStatus: true }, false],
  ['one that recognises clients by an id', { mayMove: true }, true],
  ['one that does so and whose statuses are not used', { setsStatus: true, keepsStatus: true, mayMove: true }, true],
])('%s is checked first if it might undo a decision', (_, choices, expected) => {
  expect(needsCheck(sent(choices))).toBe(expected);
});

const STATUSES = [{ field: 'request_status', from: 'declined', to: 'pending', rows: 1 }];
const made = { moves: [], other_moves: 0, new_groups: ['North'], other_new_groups: 0 };
const MOVED = { ...made, moves: [{ from: 'South', to: 'North', rows: 1 }] };

test.each([
  ['nothing that a service of an earlier version tells', {}, false, false],
  ['new groups', { status_changes: [], group_changes: made }, false, false],
  ['moved clients', { status_changes: [], group_changes: MOVED }, false, true],
  ['moved clients, also if statuses stay', { status_changes: STATUSES, group_changes: MOVED }, true, true],
  ['other emails, also if statuses stay', { email_changes: { rows: 1, lines: [3] } }, true, true],
  ['no other emails', { email_changes: { rows: 0, lines: [] } }, false, false],
  ['statuses', { status_changes: STATUSES, group_changes: made }, false, true],
  ['statuses that stay', { status_changes: STATUSES, group_changes: made }, true, false],
])('a check that finds %s', (_, found, keepsStatus, asks) => {
  expect(findsChanges(found as ImportRecord, keepsStatus)).toBe(asks);
});

test('a check still holds when statuses are kept after it, but not when they are no longer kept', () => {
  const check = (keep_status?: boolean) => ({ keep_status }) as ImportRecord;
  expect([check(), check(false), check(true)].map((each) => tellsAbout(each, true))).toEqual([true, true, true]);
  expect([check(), check(false), check(true)].map((each) => tellsAbout(each, false))).toEqual([true, true, false]);
});
