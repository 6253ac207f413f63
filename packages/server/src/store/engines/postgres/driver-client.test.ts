import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase, openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { BoundedPool, REQUEST_TIMEOUTS } from './bounded-pool.ts';

/** A URL of the database for which every connection reads a file, as with a certificate. Calling the function takes it away. */
function readingFile(url: string) {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, '');
  const reading = new URL(url);
  reading.searchParams.set('sslmode', 'disable');
  reading.searchParams.set('sslrootcert', file);
  const takeAway = () => renameSync(file, `${file}.away`);
  const bringBack = () => renameSync(`${file}.away`, file);
  return { url: reading.href, takeAway, bringBack };
}

async function openPool(size: number) {
  const { url, ...file } = readingFile(await newDatabase('postgres'));
  const pool = new BoundedPool(url, size, REQUEST_TIMEOUTS);
  // Not awaited, because a test that fails may not have released all connections.
  onTestFinished(() => void pool.end());
  return { pool, ...file };
}

test('no connection is lost when the file of a certificate is missing for a moment', async () => {
  const { pool, takeAway, bringBack } = await openPool(2);
  const first = await pool.connect();
  takeAway();
  await expect(pool.connect()).rejects.toMatchObject({ code: 'unavailable' });
  bringBack();
  first.release();
  // When what follows from that has happened.
  await new Promise(setImmediate);
  const both = await Promise.allSettled([pool.connect(), pool.connect()]);
  for (const each of both) if (each.status === 'fulfilled') each.value.release();
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

test('a connection that cannot be replaced because the file is missing does not end the process', async () => {
  const { pool, takeAway } = await openPool(1);
  const first = await pool.connect();
  const second = pool.connect();
  takeAway();
  first.release(true);
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
});

test('a node that loses the connection on which it listens connects again as soon as the file is back', async () => {
  const database = await newDatabase('postgres');
  const admin = new Client({ connectionString: database });
  await admin.connect();
  onTestFinished(() => admin.end());
  const listening = async () => {
    const all = await admin.query(
      `select from pg_stat_activity where datname = current_database() and query ~ '^listen'`,
    );
    return all.rowCount;
  };
  const { url, takeAway, bringBack } = readingFile(database);
  const store = await openTestStoreAt(url, { serving: true });
  onTestFinished(store.onChange(() => {}));
  await expect.poll(listening).toBe(1);
  takeAway();
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  // It has tried to connect by then.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await listening()).toBe(0);
  bringBack();
  await expect.poll(listening).toBe(1);
});
