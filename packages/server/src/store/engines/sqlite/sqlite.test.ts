import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../testing/test-store.ts';
import { openSqlite } from './sqlite.ts';

async function openEngine(file = join(temporaryFolder(), 'rollcall.db')) {
  const engine = openSqlite(file);
  onTestFinished(() => engine.close());
  await engine.migrate();
  return { engine, file };
}

const account = (name: string) => ({ name, created_at: 0 });

test('a failed transaction is rolled back completely, and the next one works', async () => {
  const { engine } = await openEngine();
  await expect(
    engine.write(async (db) => {
      await db.insertInto('accounts').values(account('half')).execute();
      throw new Error('on second thoughts');
    }),
  ).rejects.toThrow('on second thoughts');
  await engine.write((db) => db.insertInto('accounts').values(account('whole')).execute());
  const names = await engine.reads.selectFrom('accounts').select('name').execute();
  expect(names).toEqual([{ name: 'whole' }]);
});

test('a reader never sees a transaction half done', async () => {
  const { engine } = await openEngine();
  await engine.write(async (db) => {
    await db.insertInto('accounts').values(account('one')).execute();
    expect(await engine.reads.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await db.insertInto('accounts').values(account('two')).execute();
  });
  expect(await engine.reads.selectFrom('accounts').selectAll().execute()).toHaveLength(2);
});

test('a snapshot does not change while others write', async () => {
  const { engine } = await openEngine();
  await engine.snapshot(async (db) => {
    expect(await db.selectFrom('accounts').selectAll().execute()).toHaveLength(0);
    await engine.write((writing) => writing.insertInto('accounts').values(account('late')).execute());
    expect(await db.selectFrom('accounts').selectAll().execute()).toHaveLength(0);
  });
  expect(await engine.reads.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
});

test('two writers of one file wait for each other instead of failing', async () => {
  const { engine: first, file } = await openEngine();
  const { engine: second } = await openEngine(file);
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? first : second).write(async (db) => {
        const { rows } = await sql<{ n: number }>`select count(*) as n from accounts`.execute(db);
        await db
          .insertInto('accounts')
          .values(account(String(rows[0]?.n)))
          .execute();
      }),
    ),
  );
  const rows = await first.reads.selectFrom('accounts').select('name').execute();
  expect(rows.map(({ name }) => Number(name)).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

test('a change by another process is noticed', async () => {
  const { engine: here, file } = await openEngine();
  const { engine: elsewhere } = await openEngine(file);
  let noticed = 0;
  onTestFinished(here.onChange(() => noticed++));
  await elsewhere.write((db) => db.insertInto('accounts').values(account('news')).execute());
  await expect.poll(() => noticed).toBeGreaterThan(0);
});

test('other users cannot read the files of the database', async () => {
  const { statSync } = await import('node:fs');
  const { file } = await openEngine();
  expect(statSync(file).mode & 0o077).toBe(0);
});
