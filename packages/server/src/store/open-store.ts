import { resolve } from 'node:path';
import type { Accounts } from '../domain/account.ts';
import type { KeyEnds } from '../domain/ended-keys.ts';
import type { KeyLookup } from '../domain/exchange-key.ts';
import type { ClientExports } from '../domain/export-clients.ts';
import type { ClientImports } from '../domain/import-clients.ts';
import type { ClientPages } from '../domain/list-clients.ts';
import type { ClientChanges } from '../domain/manage-clients.ts';
import type { Groups } from '../domain/manage-groups.ts';
import type { ApiKeys } from '../domain/manage-keys.ts';
import type { SigningKeyStore } from '../domain/signing-keys.ts';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import { openAccounts } from './accounts.ts';
import { openApiKeys } from './api-keys.ts';
import { openClientChanges } from './client-changes.ts';
import { openClientExports } from './client-exports.ts';
import { openClientImports } from './client-import.ts';
import { LEVELS, type Levels } from './client-index/levels.ts';
import { rebuildIndex } from './client-index/rebuild.ts';
import { openClientPages } from './client-pages.ts';
import type { Engine } from './engines/engine.ts';
import { openSqlite } from './engines/sqlite.ts';
import { type Examination, examine } from './examine.ts';
import { openGroups } from './groups.ts';
import { openSigningKeys } from './signing-keys.ts';
import { openVersions } from './workspaces.ts';

export interface Store {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyEnds;
  signingKeys: SigningKeyStore;
  versions: WorkspaceVersions;
  groups: Groups;
  clients: ClientPages & ClientChanges & ClientImports & ClientExports;
  /** Checks the stored data against itself. */
  examine(): Promise<Examination>;
  /** Builds the counted index anew from the clients. */
  repair(): Promise<void>;
  migrate: Engine['migrate'];
  onChange: Engine['onChange'];
  ping: Engine['ping'];
  close: Engine['close'];
}

/** `levels` is for tests: tiny runs are cut up all the time. */
export function openStore(databaseUrl: string, { levels = LEVELS }: { levels?: Levels } = {}): Store {
  const engine = openEngine(databaseUrl);
  return {
    accounts: openAccounts(engine),
    keys: openApiKeys(engine),
    signingKeys: openSigningKeys(engine),
    groups: openGroups(engine),
    clients: {
      ...openClientPages(engine),
      ...openClientChanges(engine, levels),
      ...openClientImports(engine, levels),
      ...openClientExports(engine),
    },
    versions: openVersions(engine),
    examine: () => examine(engine),
    repair: () => rebuildIndex(engine, levels),
    migrate: engine.migrate,
    onChange: engine.onChange,
    ping: engine.ping,
    close: engine.close,
  };
}

function openEngine(databaseUrl: string): Engine {
  return openSqlite(resolve(databaseUrl.slice('sqlite:'.length)));
}
