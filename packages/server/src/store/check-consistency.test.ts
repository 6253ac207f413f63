import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { rebuildIndexes } from '../domain/clients/index.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { openTestStore, temporaryFolder } from '../testing/test-store.ts';
import { INDEX_LEVELS } from './clients/client-index/levels.ts';
import type { Store } from './open-store.ts';

let store: Store;
let file: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  file = join(folder, 'rollcall.db');
  store = await openTestStore(folder);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await addClients(
    store,
    workspaceId,
    Array.from({ length: 1200 }, () => aClient()),
  );
});

function damage(statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

function longestRun(): unknown {
  const database = new DatabaseSync(file);
  const { longest } = database.prepare('select max(size) as longest from client_runs where level = 0').get() ?? {};
  database.close();
  return longest;
}

test('consistent data has no problems', async () => {
  expect(await store.checkConsistency()).toEqual({
    checked: { workspaces: 2, groups: 1, clients: 1200 },
    problems: [],
  });
});

test.each([
  ["update clients set email = 'other@mail.example' where id = 7", 'client 7: the folded form of its email is wrong'],
  ['update clients set group_id = 9 where id = 7', 'client 7: its group 9 does not exist'],
  ['update clients set request_status = 9 where id = 7', 'client 7: its request status 9 is unknown'],
  ['update workspaces set last_client_id = 1000', 'client 1001: its id is greater than the last id of the workspace'],
  ["update groups set name = 'Other'", 'group 1: the folded form of its name is wrong'],
  ["delete from workspaces where environment = 'sandbox'", 'account 1 has 1 workspaces'],
  [
    `insert into client_assignments values (1, 7, 1, 0); insert into accounts (id, name, created_at) values (9, 'Other', 0);
      update members set account_id = 9`,
    'client 7: it is assigned to a member of another account',
  ],
])('%s is found', async (statement, problem) => {
  damage(statement);
  expect((await store.checkConsistency()).problems.join('\n')).toContain(problem);
});

test.each([
  ['update client_runs set size = size + 1 where level = 0 and group_id = 0'],
  ['update client_runs set size = size - 1 where level = 1 and group_id = 1'],
  ['delete from client_runs where level = 0 and request_status = 0 and created_at > 0'],
  ['delete from client_runs'],
  ['delete from clients where id = 7'],
])('%s makes the counted index wrong, which is found and can be repaired', async (statement) => {
  damage(statement);
  expect((await store.checkConsistency()).problems.join('\n')).toContain('counted index');
  await rebuildIndexes({ ...store, clock: new TestClock() }, TESTER);
  expect((await store.checkConsistency()).problems).toEqual([]);
  // The rows of a long run would have to be skipped one by one for every page.
  expect(longestRun()).toBeLessThanOrEqual(INDEX_LEVELS.runs.maxSize);
});

test.each([
  ["insert into client_words (rowid, words) values (7, '1_stranger')", 'those of clients 0 to 99 are wrong'],
  ["insert into client_words (client_words, rowid, words) values ('delete', 107, '1_mail')", 'clients 100 to 199'],
  ["insert into client_words (client_words) values ('delete-all')", 'those of clients 1200 to 1200 are wrong'],
  ["insert into client_words (rowid, words) values (1201, '1_ada')", 'client 1201 does not exist'],
  ["update clients set name = 'Somebody Else' where id = 1200", 'those of clients 1200 to 1200 are wrong'],
  ['delete from clients where id = 7', 'those of clients 0 to 99 are wrong'],
])('%s makes the words wrong, which is found and can be repaired', async (statement, problem) => {
  damage(statement);
  expect((await store.checkConsistency()).problems.join('\n')).toContain(problem);
  await rebuildIndexes({ ...store, clock: new TestClock() }, TESTER);
  expect((await store.checkConsistency()).problems).toEqual([]);
});
