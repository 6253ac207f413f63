import { expect, inject, test } from 'vitest';
import { createGroup } from '../../domain/clients/manage-groups.ts';
import { TESTER, TestClock } from '../../testing/builders.ts';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

const ENTRIES = 2500;

test('after the upgrade, the entries of the log are there, are protected against changes, and the log goes on', async () => {
  const url = await oldDatabase(inject('engine'), 22);
  const rows = Array.from({ length: ENTRIES }, (_, index) => {
    // Several entries have the same time.
    const at = 1_700_000_000_000 + (index >> 2);
    return `(1, ${at}, 'id-${String(index).padStart(5, '0')}', 'a@firm.example', 'client.imported', 'é ${index}.csv', 'sandbox', '', ${index})`;
  });
  for (const statement of [
    `insert into accounts (name, created_at) values ('Firm', 0), ('Other', 0)`,
    `insert into workspaces (account_id, environment) values (1, 'production'), (1, 'sandbox'), (2, 'production'), (2, 'sandbox')`,
    `insert into activity (account_id, at, id, member, action, subject, environment, address, clients) values ${rows.join(', ')}`,
    `insert into activity (account_id, at, id, member, action, subject, environment, address, clients)
      values (2, 1, 'a', 'b@firm.example', 'sign-in.failed', 'b@firm.example', null, '192.0.2.1', null)`,
  ]) {
    await onDatabase(url, statement);
  }

  const store = await openTestStoreAt(url);
  const { totalCount, entries } = await store.activity.read(1, {}, { offset: 0, limit: ENTRIES });
  expect(totalCount).toBe(ENTRIES);
  expect(entries.map(({ subject, clients }) => [subject, clients])).toEqual(
    Array.from({ length: ENTRIES }, (_, index) => ENTRIES - 1 - index).map((index) => [`é ${index}.csv`, index]),
  );
  expect((await store.checkConsistency()).problems).toEqual([]);
  await createGroup({ ...store, clock: new TestClock() }, { workspaceId: 1, actor: TESTER }, 'North');
  expect((await store.activity.read(1, {}, { offset: 0, limit: 1 })).totalCount).toBe(ENTRIES + 1);
  expect((await store.checkConsistency()).problems).toEqual([]);

  await onDatabase(url, `update activity_entries set clients = 7 where chain = 'account:1' and number = 1234`);
  expect((await store.checkConsistency()).problems).toEqual([
    'activity log of account 1: entry 1234 was changed, or replaced by another one',
  ]);
});
