import { expect, inject, test } from 'vitest';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

test('after the upgrade, views that were saved with far too long filters are gone, and the others are there', async () => {
  const url = await oldDatabase(inject('engine'), 31);
  const long = JSON.stringify({ search: `${' '.repeat(1_040_000)}€` });
  for (const statement of [
    `insert into accounts (name, created_at) values ('Firm', 0)`,
    `insert into workspaces (account_id, environment) values (1, 'production'), (1, 'sandbox')`,
    `insert into saved_views (workspace_id, id, name, filters, member_id, created_at) values
      (1, 'kept', 'Kept', '{"search":"€"}', null, 2), (1, 'long', 'Long', '${long}', null, 3), (1, 'other', 'Other', '{}', null, 4)`,
  ]) {
    await onDatabase(url, statement);
  }
  const store = await openTestStoreAt(url);
  expect(await store.views.list(1, 1)).toMatchObject([{ id: 'kept', filters: { search: '€' } }, { id: 'other' }]);
});
