import { createAccount } from '../domain/account.ts';
import type { NewClient } from '../domain/client.ts';
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import { createKey } from '../domain/manage-keys.ts';
import type { Store } from '../store/open-store.ts';

export const TEST_PASSWORD = 'otters juggle seven lanterns';

/** A clock that stands still until it is told to move. */
export class TestClock implements Clock {
  #now: number;

  constructor(now = Date.parse('2026-01-31T09:30:00.000Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

let clientsMade = 0;

/** A client that differs from every other one, with the given fields. */
export function aClient(fields: Partial<NewClient> = {}): NewClient {
  const number = ++clientsMade;
  const createdAt = fields.createdAt ?? Date.parse('2026-01-01T00:00:00.000Z') + number * 1000;
  return {
    referenceId: `${createdAt}-${String(number).padStart(4, '0')}`,
    email: `client${number}@mail.example`,
    name: `Client ${number}`,
    type: 'individual',
    groupName: 'Everyone',
    requestStatus: 'requested',
    status: 'active',
    createdAt,
    ...fields,
  };
}

/** Brings clients in as an import does. */
export async function addClients(store: Store, workspaceId: number, clients: readonly NewClient[]): Promise<void> {
  const rows = clients.map((client) => ({ line: 0, ...client }));
  await store.clients.importRows({ workspaceId, actor: 'test' }, rows, { at: 0 });
}

/** An account with one API key, in the workspace of one environment. */
export async function aWorkspace(store: Store, clock: Clock, email: string, environment: Environment = 'production') {
  const { accounts, keys } = store;
  const { account } = await createAccount({ accounts, clock }, { name: email, email, password: TEST_PASSWORD });
  const workspaceId = await accounts.workspaceId(account.id, environment);
  const { key, secret } = await createKey({ keys, clock }, { workspaceId, environment, name: 'test' });
  return { accountId: account.id, workspaceId, key, secret };
}
