import { hash } from '@node-rs/argon2';
import type { Actor } from '../domain/change.ts';
import type { NewClient } from '../domain/clients/client.ts';
import { type ImportOrigin, importRows, makeImportId } from '../domain/clients/import-clients.ts';
import type { Clock } from '../domain/clock.ts';
import { createKey } from '../domain/credentials/manage-keys.ts';
import type { Environment } from '../domain/environment.ts';
import type { Account } from '../domain/members/account.ts';
import type { Store } from '../store/open-store.ts';

/** The actor of changes in tests. */
export const TESTER: Actor = { name: 'tester', address: '' };

/** The origin of imported rows in tests. */
export const ORIGIN: ImportOrigin = { id: 'an-import-of-a-test', name: 'test.csv' };

export const TEST_PASSWORD = 'otters juggle seven lanterns';

/** A clock that only moves when it is advanced. */
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

/** A client with the given fields, different from all others. */
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
    externalId: null,
    ...fields,
  };
}

/** Imports the clients. */
export async function addClients(store: Store, workspaceId: number, clients: readonly NewClient[]): Promise<void> {
  const rows = clients.map((client) => ({ line: 0, ...client }));
  const deps = { ...store, clock: { now: () => 0 } };
  await importRows(deps, { workspaceId, actor: TESTER }, rows, { id: makeImportId(), name: 'test' });
}

let hashOfTestPassword: Promise<string> | undefined;

/** An old hash may be weak, and each time that the password is entered takes as long as its hash is strong. */
const WEAK = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** An account as `createAccount` makes it, whose owner has the test password. */
export async function anAccount(store: Store, clock: Clock, owner: { name: string; email: string }): Promise<Account> {
  hashOfTestPassword ??= hash(TEST_PASSWORD, WEAK);
  const ownerPasswordHash = await hashOfTestPassword;
  const at = clock.now();
  return store.changeInstallation({ actor: TESTER, at }, async (change) => {
    const request = { name: owner.name, ownerEmail: owner.email, ownerPasswordHash, createdAt: at };
    const { account } = await change.accounts.create(request);
    change.record(account.id, 'member.set-up', account.ownerEmail);
    return account;
  });
}

/** Creates an account with one API key in the workspace of one environment. */
export async function aWorkspace(store: Store, clock: Clock, email: string, environment: Environment = 'production') {
  const deps = { ...store, clock };
  const account = await anAccount(store, clock, { name: email, email });
  const workspaceId = await store.accounts.workspaceId(account.id, environment);
  const { key, secret } = await createKey(deps, { workspaceId, actor: TESTER }, { environment, name: 'test' });
  return { accountId: account.id, workspaceId, key, secret };
}
