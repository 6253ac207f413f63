import { copyFileSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { inspectSqlite } from './inspect-sqlite.ts';

test('a database behind a symbolic link is read with the log beside the target file', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  const link = join(folder, 'link.db');
  symlinkSync(join(folder, 'real', 'rollcall.db'), link);
  // Open, so that all data is still in the log.
  await openTestStoreAt(`sqlite:${join(folder, 'real', 'rollcall.db')}`);
  expect((await inspectSqlite(link))?.tables).toContain('accounts');
});

test('a database is read and opened whose process was killed when it had begun a new log and written nothing to it', async () => {
  const folder = temporaryFolder();
  const [file, killed] = [join(folder, 'rollcall.db'), join(folder, 'killed.db')];
  await (await openTestStoreAt(`sqlite:${file}`)).close();
  const database = new DatabaseSync(file);
  database.exec('create table next_write (number integer)');
  for (const part of ['', '-wal', '-shm']) copyFileSync(file + part, killed + part);
  database.close();
  truncateSync(`${killed}-wal`, 32);

  const { tables } = (await inspectSqlite(killed)) ?? { tables: [] };
  expect(tables).toContain('accounts');
  expect(tables).not.toContain('next_write');
  const store = await openTestStoreAt(`sqlite:${killed}`);
  expect((await store.checkConsistency()).problems).toEqual([]);
});
