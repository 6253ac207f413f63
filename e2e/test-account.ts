import { OPERATOR } from '../packages/server/src/domain/change.ts';
import { addSample } from '../packages/server/src/domain/clients/sample-clients.ts';
import { createKey } from '../packages/server/src/domain/credentials/manage-keys.ts';
import type { Scope } from '../packages/server/src/domain/credentials/scope.ts';
import type { Environment } from '../packages/server/src/domain/environment.ts';
import { createAccount } from '../packages/server/src/domain/members/account.ts';
import { openStore, type Store } from '../packages/server/src/store/open-store.ts';
import type { Program } from './program.ts';

export const OWNER = 'owner@firm.example';
export const PASSWORD = 'otters juggle seven lanterns';

interface TestAccountOptions {
  name?: string;
  email?: string;
  /** The environment of the clients and the key. */
  environment?: Environment;
  clients?: number;
  groups?: number;
  seed?: number;
  /** What the key may do. */
  scopes?: readonly Scope[];
}

export interface TestAccount {
  key: { key_id: string; api_key: string };
}

/**
 * Creates what `account create`, `sample` and `key create` would create, without starting a process for each. Those
 * commands have their own tests.
 */
export async function createTestAccount(program: Program, request: TestAccountOptions = {}): Promise<TestAccount> {
  const {
    name = 'Firm',
    email = OWNER,
    environment = 'production',
    clients = 0,
    groups = 6,
    seed = 1,
    scopes,
  } = request;
  return withStore(program, async (store) => {
    const deps = { ...store, clock: { now: () => Date.now() } };
    const { account } = await createAccount(deps, OPERATOR, { name, email, password: PASSWORD });
    const workspaceId = await store.accounts.workspaceId(account.id, environment);
    if (clients > 0) await addSample(deps, OPERATOR, { workspaceId, clients, groups, seed });
    const { key, secret } = await createKey(
      deps,
      { workspaceId, actor: OPERATOR },
      {
        environment,
        name: 'test',
        ...(scopes && { scopes: [...scopes] }),
      },
    );
    return { key: { key_id: key.id, api_key: secret } };
  });
}

/** Opens the program's database in this process while the work is done. */
export async function withStore<T>(program: Program, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(program.databaseUrl);
  try {
    await store.migrate();
    return await work(store);
  } finally {
    await store.close();
  }
}
