import { expect, inject, test } from 'vitest';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

/** Two workspaces, and more clients than the migration reads at once. */
async function filledBefore(schema = 12): Promise<string> {
  const url = await oldDatabase(inject('engine'), schema);
  await onDatabase(url, `insert into accounts (name, created_at) values ('Firm', 1)`);
  for (const [id, environment] of [
    [1, 'production'],
    [2, 'sandbox'],
  ] as const) {
    await onDatabase(
      url,
      `insert into workspaces (account_id, environment, version, last_group_id, last_client_id)
       values (1, '${environment}', 1, 1, 1500)`,
    );
    await onDatabase(
      url,
      `insert into groups (workspace_id, id, token, name, name_folded, created_at) values (${id}, 1, 't', 'G', 'g', 1)`,
    );
    const clients = Array.from({ length: 1500 }, (_, index) => index + 1).map(
      (client) =>
        `(${id}, ${client}, '17000000${id}-${10_000 + client}', 'c${client}@mail.example', 'c${client}@mail.example',
          'José ${environment}', 1, 1, 1, 1, ${client})`,
    );
    await onDatabase(
      url,
      `insert into clients (workspace_id, id, reference_id, email, email_folded, name, client_type, group_id,
         request_status, client_status, created_at) values ${clients.join(', ')}`,
    );
  }
  return url;
}

test('clients that were added before the upgrade are found by their words', async () => {
  const url = await filledBefore();
  const store = await openTestStoreAt(url);
  const find = (workspaceId: number, ...words: string[]) =>
    store.searches.find(workspaceId, { words }, { offset: 0, limit: 2 });
  expect(await find(1, 'jose')).toMatchObject({ totalCount: 1500, clients: [{ email: 'c1500@mail.example' }, {}] });
  expect(await find(1, 'jose', 'sand')).toMatchObject({ totalCount: 0 });
  expect(await find(2, 'c1234', 'sand')).toMatchObject({ totalCount: 1, clients: [{ name: 'José sandbox' }] });
  expect(await find(2, '170000002', '11234')).toMatchObject({ totalCount: 1 });
  const { problems } = await store.checkConsistency();
  expect(problems.filter((problem) => problem.includes('words'))).toEqual([]);
});

test('words that an earlier version made are replaced', async () => {
  const url = await filledBefore(14);
  const insert =
    inject('engine') === 'sqlite'
      ? `insert into client_words (rowid, words) values (7, '1_former')`
      : `insert into client_words values (1, 7, '''1_former''')`;
  await onDatabase(url, insert);
  const store = await openTestStoreAt(url);
  const find = (word: string) => store.searches.find(1, { words: [word] }, { offset: 0, limit: 2 });
  expect(await find('former')).toMatchObject({ totalCount: 0 });
  expect(await find('c7')).toMatchObject({ totalCount: 111 });
  const { problems } = await store.checkConsistency();
  expect(problems.filter((problem) => problem.includes('words'))).toEqual([]);
});

test('a program that would write clients without their words cannot use the database any more', async () => {
  const url = await filledBefore();
  await openTestStoreAt(url);
  const [row] = await onDatabase(url, 'select oldest_schema from compatibility');
  expect(Number(row?.oldest_schema)).toBeGreaterThanOrEqual(15);
});
