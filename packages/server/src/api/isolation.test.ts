import { expect, test } from 'vitest';
import { createKey } from '../domain/credentials/manage-keys.ts';
import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, resultsOf } from '../testing/test-api.ts';

test('two accounts in two environments never see each other, whatever they request', async () => {
  const api = await openTestApi();
  const { store, clock } = api;
  const tenants: { label: string; environment: Environment; secret: string }[] = [];
  for (const [index, firm] of ['a', 'b'].entries()) {
    const { accountId } = await aWorkspace(store, clock, `${firm}@firm.example`);
    for (const environment of ENVIRONMENTS) {
      const workspaceId = await store.accounts.workspaceId(accountId, environment);
      const { secret } = await createKey(
        { ...store, clock },
        { workspaceId, actor: TESTER },
        { environment, name: 'test' },
      );
      const label = `${firm} in ${environment}`;
      // The same group, email and status everywhere, and a different number of clients in each.
      const count = 1 + index * 2 + ENVIRONMENTS.indexOf(environment);
      const clients = Array.from({ length: count }, (_, n) =>
        aClient({ name: label, groupName: 'Shared', email: `same${n}@mail.example`, requestStatus: 'completed' }),
      );
      await addClients(store, workspaceId, clients);
      tenants.push({ label, environment, secret });
    }
  }

  const queries = [
    '',
    '?group_name=shared',
    '?client_email=same0@mail.example',
    '?request_status=completed',
    '?client_type=individual',
    '?page_limit=1&page_no=2',
  ];
  for (const [index, tenant] of tenants.entries()) {
    const authorization = `Bearer ${await api.token(tenant.secret)}`;
    for (const query of queries) {
      const { status, body } = await api.get(LIST_PATH + query, { authorization }, tenant.environment);
      expect(status).toBe(200);
      expect(body.data?.total_count).toBe(query.includes('email') ? 1 : index + 1);
      for (const client of resultsOf(body)) {
        expect(client.client_name).toBe(tenant.label);
      }
    }
  }
});

test('groups of the same name have different tokens in different workspaces', async () => {
  const { store, clock } = await openTestApi();
  const tokens = new Set<string>();
  for (const email of ['a@firm.example', 'b@firm.example']) {
    const { workspaceId } = await aWorkspace(store, clock, email);
    await addClients(store, workspaceId, [aClient({ groupName: 'Shared' })]);
    const { clients } = await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 });
    tokens.add(clients[0]?.groupToken ?? '');
  }
  expect(tokens.size).toBe(2);
});
