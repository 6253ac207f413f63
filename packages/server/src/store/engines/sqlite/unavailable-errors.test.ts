import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/test-store.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { mapErrors } from './unavailable-errors.ts';

function failureOf(work: () => unknown): DatabaseUnavailable {
  const reported: DatabaseUnavailable[] = [];
  const context = { name: 'the database', report: (failure: DatabaseUnavailable) => void reported.push(failure) };
  expect(() => mapErrors(work, context)).toThrow(DatabaseUnavailable);
  expect(reported).toHaveLength(1);
  return reported[0] as DatabaseUnavailable;
}

function aDatabase(options = {}): DatabaseSync {
  const file = join(temporaryFolder(), 'a.db');
  const database = new DatabaseSync(file);
  database.exec('create table notes (text)');
  database.close();
  return new DatabaseSync(file, { timeout: 0, ...options });
}

const WRITE = `insert into notes values (zeroblob(1000000))`;

test('a full disk, a read-only file, a damaged file and another write have different reasons', () => {
  const full = aDatabase();
  full.exec('pragma max_page_count = 3');
  expect(failureOf(() => full.exec(WRITE)).reason).toBe('the disk of the database is full');

  const readOnly = aDatabase({ readOnly: true });
  expect(failureOf(() => readOnly.exec(WRITE)).reason).toBe('the database can only be read');

  const damaged = join(temporaryFolder(), 'damaged.db');
  writeFileSync(damaged, 'x'.repeat(10_000));
  const reading = () => new DatabaseSync(damaged).exec('select * from sqlite_schema');
  expect(failureOf(reading).reason).toBe('the file of the database is damaged');

  const busy = aDatabase();
  const other = new DatabaseSync(busy.location() ?? '');
  other.exec('begin immediate');
  const failure = failureOf(() => busy.exec(WRITE));
  expect(failure).toMatchObject({ isTransient: true, reason: 'the database is busy with another write' });
  expect(failure.message).toBe('Service temporarily unavailable: the database is busy with another write.');
});

test('an error in a statement is not reported as a failure of the machine', () => {
  expect(() => mapErrors(() => aDatabase().exec('select * from nowhere'))).toThrow(/no such table/);
  expect(() => mapErrors(() => mkdirSync(join(temporaryFolder(), 'a', 'b')))).toThrow(/ENOENT/);
});
