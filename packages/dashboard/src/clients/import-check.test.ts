import { expect, test } from 'vitest';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { findsChanges, questionOf, tellsAbout } from './import-check.ts';

const STATUSES = [{ field: 'request_status', from: 'declined', to: 'pending', rows: 1 }];
const made = { moves: [], other_moves: 0, new_groups: ['North'], other_new_groups: 0 };
const MOVED = { ...made, moves: [{ from: 'South', to: 'North', rows: 1 }] };

test.each([
  ['nothing that a service of an earlier version tells', {}, false, false],
  ['new groups', { status_changes: [], group_changes: made }, false, false],
  ['moved clients', { status_changes: [], group_changes: MOVED }, false, true],
  ['moved clients, also if statuses stay', { status_changes: STATUSES, group_changes: MOVED }, true, true],
  ['other emails, also if statuses stay', { email_changes: { rows: 1, lines: [3] } }, true, true],
  ['emails that another group has, also if statuses stay', { emails_elsewhere: { rows: 1, lines: [3] } }, true, true],
  ['no emails that another group has', { emails_elsewhere: { rows: 0, lines: [] } }, false, false],
  ['no other emails', { email_changes: { rows: 0, lines: [] } }, false, false],
  ['clients that are in the file more than once', { repeats: { rows: 1, lines: [3] } }, false, false],
  ['statuses', { status_changes: STATUSES, group_changes: made }, false, true],
  ['statuses that stay', { status_changes: STATUSES, group_changes: made }, true, false],
])('a check that finds %s', (_, found, keepsStatus, asks) => {
  expect(findsChanges(found as ImportRecord, keepsStatus)).toBe(asks);
});

test('a check that only adds clients does not say that clients would change', () => {
  const elsewhere = { emails_elsewhere: { rows: 1, lines: [3] } } as ImportRecord;
  expect(questionOf(elsewhere, false)).toBe('Not imported yet: other groups have some of these emails');
  const both = { ...elsewhere, status_changes: STATUSES } as ImportRecord;
  expect(questionOf(both, false)).toBe('Not imported yet: clients would change');
  expect(questionOf(both, true)).toBe('Not imported yet: other groups have some of these emails');
});

test('a check still holds when statuses are kept after it, but not when they are no longer kept', () => {
  const check = (keep_status?: boolean) => ({ keep_status }) as ImportRecord;
  expect([check(), check(false), check(true)].map((each) => tellsAbout(each, true))).toEqual([true, true, true]);
  expect([check(), check(false), check(true)].map((each) => tellsAbout(each, false))).toEqual([true, true, false]);
});
