import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OPERATOR } from '../packages/server/src/domain/change.ts';
import { addSample } from '../packages/server/src/domain/clients/sample-clients.ts';
import { createKey } from '../packages/server/src/domain/credentials/manage-keys.ts';
import type { Scope } from '../packages/server/src/domain/credentials/scope.ts';
import type { Environment } from '../packages/server/src/domain/environment.ts';
import { createAccount } from '../packages/server/src/domain/members/account.ts';
import { makeFolder } from '../packages/server/src/store/engines/sqlite/database-file.ts';
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

interface Template {
  file: string;
  account: TestAccount;
}

/** By what was asked for. */
const templates = new Map<string, Promise<Template>>();

/**
 * Creates what `account create`, `sample` and `key create` would create, without starting a process for each. Those
 * commands have their own tests. A new SQLite database begins as a copy of an earlier one with the same account, because
 * migrating it and hashing the password would take most of the time of many tests. It gets an epoch of its own.
 */
export async function createTestAccount(program: Program, request: TestAccountOptions = {}): Promise<TestAccount> {
  const url = program.databaseUrl;
  if (!url.startsWith('sqlite:') || existsSync(fileOf(url))) return addAccount(url, request);
  const { file, account } = await templateWith(request);
  makeFolder(dirname(fileOf(url)));
  copyFileSync(file, fileOf(url));
  return account;
}

function templateWith(request: TestAccountOptions): Promise<Template> {
  const name = JSON.stringify(request);
  const template = templates.get(name) ?? makeTemplate(request);
  templates.set(name, template);
  return template;
}

async function makeTemplate(request: TestAccountOptions): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-e2e-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'rollcall.db')}`;
  return { file: fileOf(url), account: await addAccount(url, request) };
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

async function addAccount(databaseUrl: string, request: TestAccountOptions): Promise<TestAccount> {
  const {
    name = 'Firm',
    email = OWNER,
    environment = 'production',
    clients = 0,
    groups = 6,
    seed = 1,
    scopes,
  } = request;
  return withStoreAt(databaseUrl, async (store) => {
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
export function withStore<T>(program: Program, work: (store: Store) => Promise<T>): Promise<T> {
  return withStoreAt(program.databaseUrl, work);
}

async function withStoreAt<T>(databaseUrl: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(databaseUrl);
  try {
    await store.migrate();
    return await work(store);
  } finally {
    await store.close();
  }
}
