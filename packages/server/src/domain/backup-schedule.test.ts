import { expect, test } from 'vitest';
import { backupName, backupTime, isBackupDue, latestBackup, outdatedBackups } from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-10-25T02:30:15.900Z');
const namesBefore = (...hours: number[]) => hours.map((each) => backupName(NOW - each * HOUR_MS));

test('names are in UTC to the second, and give the time again', () => {
  expect(backupName(NOW)).toBe('rollcall-20261025T023015Z.db.zst');
  expect(backupTime('rollcall-20261025T023015Z.db.zst')).toBe(Date.parse('2026-10-25T02:30:15Z'));
});

test('names sort by time, also in the hour that clocks repeat in autumn', () => {
  const names = namesBefore(3, 2, 1, 0, -1, -2);
  expect(names.toSorted()).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  'rollcall-20261325T023015Z.db.zst',
  'rollcall-20260230T023015Z.db.zst',
  'rollcall-20261025T023015Z.db.zst.unfinished-AbC123',
  'my-rollcall-20261025T023015Z.db.zst',
  'rollcall-20261025T023015Z.db',
  'before-the-upgrade.db.zst',
  'rollcall.secret',
])('%s is none of the backups that the service makes', (name) => {
  expect(backupTime(name)).toBeUndefined();
});

test.each([
  ['there is none', [], true],
  ['the newest is old enough', [12, 6], true],
  ['the newest is younger', [12, 5.9], false],
  ['one was made in this second', [0], false],
  ['the only one is from the future, because the clock was wrong', [-24 * 365], true],
  ['one is from the future and one is young', [-24 * 365, 1], false],
])('whether a backup is due when %s', (_when, hours, due) => {
  expect(isBackupDue([...namesBefore(...hours), 'notes.txt'], { now: NOW, everyMs: 6 * HOUR_MS })).toBe(due);
});

test('of the names that are ours, all but the newest are outdated', () => {
  const names = [...namesBefore(1, 30, 12, 6, 24, 18), 'rollcall.secret', 'before-the-upgrade.db.zst'];
  expect(outdatedBackups(names, { now: NOW, keep: 3 })).toEqual(namesBefore(18, 24, 30));
  expect(outdatedBackups(names, { now: NOW, keep: 6 })).toEqual([]);
});

test('backups from the future are neither counted nor outdated, whichever clock was wrong', () => {
  const names = namesBefore(-5000, -4000, 12, 6, 0);
  expect(outdatedBackups(names, { now: NOW, keep: 2 })).toEqual(namesBefore(12));
});

test('the latest one is the newest that is not from the future, if there is one', () => {
  expect(latestBackup(namesBefore(12, -5000, 6), NOW)).toBe(namesBefore(6)[0]);
  expect(latestBackup(namesBefore(-6, -5000), NOW)).toBe(namesBefore(-5000)[0]);
  expect(latestBackup(['notes.txt'], NOW)).toBeUndefined();
});
