import { expect, inject, test } from 'vitest';
import { breakActivityLog, onDatabase } from '../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';

test('doctor reports a trigger that Rollcall has not made, and nothing once it is gone', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const dropTrigger = await breakActivityLog(url);
  expect((await store.checkConsistency()).problems).toEqual([
    'database: the trigger "broken" was not made by Rollcall',
  ]);
  await dropTrigger();
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('doctor reports a view in an SQLite file, and leaves those on a PostgreSQL server to its operators', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  await onDatabase(url, 'create view report as select * from clients');
  const { problems } = await store.checkConsistency();
  await onDatabase(url, 'drop view report');
  const expected = inject('engine') === 'sqlite' ? ['database: the view "report" was not made by Rollcall'] : [];
  expect(problems).toEqual(expected);
});
