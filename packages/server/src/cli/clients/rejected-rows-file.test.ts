import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/test-store.ts';
import { openRejectedRowsFile } from './rejected-rows-file.ts';

const REJECTION = { row: { line: 3, cells: { email: 'bob', client_name: 'Bob' } }, reason: 'email is missing' };

async function openIn(folder: string) {
  const source = join(folder, 'source.csv');
  writeFileSync(source, '');
  const target = join(folder, 'rejects.csv');
  writeFileSync(target, 'last year\n');
  return { target, rejects: await openRejectedRowsFile(target, statSync(source, { bigint: true })) };
}

test('the old file stays until the import is complete, however many rows are rejected', async () => {
  const folder = temporaryFolder();
  const { target, rejects } = await openIn(folder);
  for (let row = 0; row < 5000; row++) await rejects.add(REJECTION);
  expect(readFileSync(target, 'utf8')).toBe('last year\n');
  await rejects.finish();
  expect(readFileSync(target, 'utf8').split('\n')).toHaveLength(5002);
  expect(readdirSync(folder).sort()).toEqual(['rejects.csv', 'source.csv']);
});

test('an import that fails half way leaves the old file and no temporary file', async () => {
  const folder = temporaryFolder();
  const { target, rejects } = await openIn(folder);
  for (let row = 0; row < 5000; row++) await rejects.add(REJECTION);
  await rejects.abandon();
  expect(readFileSync(target, 'utf8')).toBe('last year\n');
  expect(readdirSync(folder).sort()).toEqual(['rejects.csv', 'source.csv']);
});

test('no exit handler remains once the file is closed', async () => {
  const before = process.listenerCount('exit');
  const { rejects } = await openIn(temporaryFolder());
  expect(process.listenerCount('exit')).toBe(before + 1);
  await rejects.finish();
  expect(process.listenerCount('exit')).toBe(before);
});

test.each(['', '-wal', '-shm'])('rejected rows never replace a database%s', async (ending) => {
  const folder = temporaryFolder();
  const source = join(folder, 'source.csv');
  writeFileSync(source, '');
  const database = new DatabaseSync(join(folder, 'some.db'));
  onTestFinished(() => database.close());
  database.exec('pragma journal_mode = wal; create table things (name)');
  const target = join(folder, `some.db${ending}`);
  symlinkSync(target, join(folder, 'link'));
  const before = readFileSync(target);
  for (const name of [target, join(folder, 'link')]) {
    const opened = openRejectedRowsFile(name, statSync(source, { bigint: true }));
    await expect(opened).rejects.toThrow(`${name} is a database; the rejected rows must go to another file.`);
  }
  expect(readFileSync(target)).toEqual(before);
});
