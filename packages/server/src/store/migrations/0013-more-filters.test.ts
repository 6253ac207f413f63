import { expect, inject, test } from 'vitest';
import { listClients } from '../../domain/clients/list-clients.ts';
import { setClientStatus } from '../../domain/clients/manage-clients.ts';
import { summariseClients } from '../../domain/clients/summarise-clients.ts';
import { TESTER, TestClock } from '../../testing/builders.ts';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

const CLIENTS = 600;
const referenceOf = (id: number) => `1700000000000-${String(id).padStart(4, '0')}`;
const isInactive = (id: number) => id % 3 === 0;

/** A database of the version before, with clients whose lists are counted. Every third client is inactive. */
async function beforeTheUpgrade(): Promise<string> {
  const url = await oldDatabase(inject('engine'), 12);
  const rows = Array.from({ length: CLIENTS }, (_, index) => index + 1).map((id) => {
    const email = `c${id}@x.example`;
    // Pairs of clients have the same time.
    return `(1, ${id}, '${referenceOf(id)}', '${email}', '${email}', 'C', 1, 1, 5, ${isInactive(id) ? 2 : 1}, ${(id >> 1) + 1000})`;
  });
  const runs = [0, 1].flatMap((group) =>
    [0, 5].flatMap((status) =>
      [0, 1].flatMap((type) =>
        [0, 1].map((level) => `(1, ${level}, ${group}, ${status}, ${type}, 0, 0, ${CLIENTS}, 4)`),
      ),
    ),
  );
  for (const statement of [
    `insert into accounts (name, created_at) values ('Firm', 0)`,
    `insert into workspaces (account_id, environment, version, last_group_id, last_client_id) values (1, 'production', 7, 1, ${CLIENTS})`,
    `insert into workspaces (account_id, environment) values (1, 'sandbox')`,
    `insert into groups (workspace_id, id, token, name, name_folded, created_at) values (1, 1, '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90', 'North', 'north', 0)`,
    `insert into clients (workspace_id, id, reference_id, email, email_folded, name, client_type, group_id, request_status, client_status, created_at) values ${rows.join(', ')}`,
    `insert into client_runs (workspace_id, level, group_id, request_status, client_type, created_at, id, size, version) values ${runs.join(', ')}`,
  ]) {
    await onDatabase(url, statement);
  }
  return url;
}

test('after the upgrade, active and inactive clients are listed and counted, and can be changed', async () => {
  const store = await openTestStoreAt(await beforeTheUpgrade());
  expect((await store.checkConsistency()).problems).toEqual([]);
  expect(await store.versions.current(1)).toMatch(/\.8$/);
  const newestFirst = Array.from({ length: CLIENTS }, (_, index) => CLIENTS - index);
  const list = async (clientStatus: 'active' | 'inactive', pageNumber: number) => {
    const page = await listClients(store, 1, { clientStatus, pageNumber, pageLimit: 7 });
    return { total: page.totalCount, references: page.clients.map(({ referenceId }) => referenceId) };
  };
  const pageOf = (ids: readonly number[], pageNumber: number) =>
    ids.slice(7 * (pageNumber - 1), 7 * pageNumber).map(referenceOf);
  const inactive = newestFirst.filter(isInactive);
  const active = newestFirst.filter((id) => !isInactive(id));
  for (const pageNumber of [1, 2, 20, 28, 29]) {
    expect(await list('inactive', pageNumber)).toEqual({ total: 200, references: pageOf(inactive, pageNumber) });
    expect(await list('active', pageNumber)).toEqual({ total: 400, references: pageOf(active, pageNumber) });
  }
  await setClientStatus(
    { ...store, clock: new TestClock() },
    { workspaceId: 1, actor: TESTER },
    referenceOf(3),
    'active',
  );
  expect((await summariseClients(store, 1, {})).byClientStatus).toEqual({ active: 401, inactive: 199 });
  expect((await store.checkConsistency()).problems).toEqual([]);
});
