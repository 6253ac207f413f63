import { expect, test } from 'vitest';
import {
  backupName,
  backupOwner,
  isBackupDue,
  latestBackup,
  outdatedBackups,
  readBackupName,
} from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-10-25T02:30:15.900Z');
const [OWNER, OTHER] = ['0a1b2c3d', 'ffffffff'];
const namesBefore = (...hours: number[]) => hours.map((each) => backupName(NOW - each * HOUR_MS, OWNER));

test('names are in UTC to the second, and give the time again', () => {
  const name = 'rollcall-20261025T023015Z-0a1b2c3d.db.zst';
  expect(backupName(NOW, OWNER)).toBe(name);
  expect(readBackupName(name)).toEqual({ name, madeAt: Date.parse('2026-10-25T02:30:15Z'), owner: OWNER });
});

test('names sort by time, also in the hour that clocks repeat in autumn', () => {
  const names = namesBefore(3, 2, 1, 0, -1, -2);
  expect(names.toSorted()).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  'rollcall-20261325T023015Z-0a1b2c3d.db.zst',
  'rollcall-20260230T023015Z-0a1b2c3d.db.zst',
  'rollcall-20261025T023015Z-0a1b2c3d.db.zst.unfinished-AbC123',
  'my-rollcall-20261025T023015Z-0a1b2c3d.db.zst',
  'rollcall-20261025T023015Z-0a1b2c3d.db',
  'rollcall-20261025T023015Z-before-it.db.zst',
  'rollcall-20261025T023015Z.db.zst',
  'before-the-upgrade.db.zst',
  'rollcall.secret',
])('%s is none of the backups that the service makes', (name) => {
  expect(readBackupName(name)).toBeUndefined();
});

test.each([
  ['there is none', [], true],
  ['the newest is old enough', [12, 6], true],
  ['the newest is younger', [12, 5.9], false],
  ['one was made in this second', [0], false],
  ['the only one is from the future, because the clock was wrong', [-24 * 365], true],
  ['one is from the future and one is young', [-24 * 365, 1], false],
])('whether a backup is due when %s', (_when, hours, due) => {
  expect(isBackupDue([...namesBefore(...hours), 'notes.txt'], { now: NOW, owner: OWNER, everyMs: 6 * HOUR_MS })).toBe(
    due,
  );
});

test('of the names that are ours, all but the newest are outdated', () => {
  const names = [...namesBefore(1, 30, 12, 6, 24, 18), 'rollcall.secret', 'before-the-upgrade.db.zst'];
  expect(outdatedBackups(names, { now: NOW, owner: OWNER, keep: 3 })).toEqual(namesBefore(18, 24, 30));
  expect(outdatedBackups(names, { now: NOW, owner: OWNER, keep: 6 })).toEqual([]);
});

test('backups from the future are neither counted nor outdated, whichever clock was wrong', () => {
  const names = namesBefore(-5000, -4000, 12, 6, 0);
  expect(outdatedBackups(names, { now: NOW, owner: OWNER, keep: 2 })).toEqual(namesBefore(12));
});

test('the latest one is the newest that is not from the future, if there is one', () => {
  expect(latestBackup(namesBefore(12, -5000, 6), NOW)).toBe(namesBefore(6)[0]);
  expect(latestBackup(namesBefore(-6, -5000), NOW)).toBe(namesBefore(-5000)[0]);
  expect(latestBackup(['notes.txt'], NOW)).toBeUndefined();
});

test('the backups of another database in the same folder are neither counted nor outdated', () => {
  const others = [0, 1, 2].map((hours) => backupName(NOW - hours * HOUR_MS, OTHER));
  const names = [...others, ...namesBefore(12, 18)];
  expect(isBackupDue(names, { now: NOW, owner: OWNER, everyMs: 6 * HOUR_MS })).toBe(true);
  expect(outdatedBackups(names, { now: NOW, owner: OWNER, keep: 1 })).toEqual(namesBefore(18));
  expect(latestBackup(names, NOW, OWNER)).toBe(namesBefore(12)[0]);
  expect(latestBackup(names, NOW)).toBe(others[0]);
});

test('every installation has an owner of its own', () => {
  expect(backupOwner('a key')).toMatch(/^[0-9a-f]{8}$/);
  expect(backupOwner('a key')).not.toBe(backupOwner('another key'));
});
