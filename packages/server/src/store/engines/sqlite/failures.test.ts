import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/test-store.ts';
import { Trouble } from '../trouble.ts';
import { explaining } from './failures.ts';

function troubleOf(work: () => unknown): Trouble {
  const told: Trouble[] = [];
  const subject = { name: 'the database', tell: (trouble: Trouble) => void told.push(trouble) };
  expect(() => explaining(work, subject)).toThrow(Trouble);
  expect(told).toHaveLength(1);
  return told[0] as Trouble;
}

function aDatabase(options = {}): DatabaseSync {
  const file = join(temporaryFolder(), 'a.db');
  const database = new DatabaseSync(file);
  database.exec('create table notes (text)');
  database.close();
  return new DatabaseSync(file, { timeout: 0, ...options });
}

const WRITE = `insert into notes values (zeroblob(1000000))`;

test('a full disk, a read-only file, a damaged one and another write are told apart', () => {
  const full = aDatabase();
  full.exec('pragma max_page_count = 3');
  expect(troubleOf(() => full.exec(WRITE)).reason).toBe('the disk of the database is full');

  const readOnly = aDatabase({ readOnly: true });
  expect(troubleOf(() => readOnly.exec(WRITE)).reason).toBe('the database can only be read');

  const damaged = join(temporaryFolder(), 'damaged.db');
  writeFileSync(damaged, 'x'.repeat(10_000));
  const reading = () => new DatabaseSync(damaged).exec('select * from sqlite_schema');
  expect(troubleOf(reading).reason).toBe('the file of the database is damaged');

  const busy = aDatabase();
  const other = new DatabaseSync(busy.location() ?? '');
  other.exec('begin immediate');
  const trouble = troubleOf(() => busy.exec(WRITE));
  expect(trouble).toMatchObject({ passing: true, reason: 'the database is busy with another write' });
  expect(trouble.message).toBe('Service temporarily unavailable: the database is busy with another write.');
});

test('what is our own mistake is not blamed on the machine', () => {
  expect(() => explaining(() => aDatabase().exec('select * from nowhere'))).toThrow(/no such table/);
  expect(() => explaining(() => mkdirSync(join(temporaryFolder(), 'a', 'b')))).toThrow(/ENOENT/);
});
