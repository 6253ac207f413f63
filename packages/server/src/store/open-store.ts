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
import { openAccounts } from './accounts.ts';
import { openApiKeys } from './api-keys.ts';
import { openClientChanges } from './client-changes.ts';
import { openClientExports } from './client-exports.ts';
import { openClientImports } from './client-import.ts';
import { openClientPages } from './client-pages.ts';
import type { Engine } from './engines/engine.ts';
import { openSqlite } from './engines/sqlite.ts';
import { type Examination, examine } from './examine.ts';
import { openGroups } from './groups.ts';
import { openSigningKeys } from './signing-keys.ts';

export interface Store {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyEnds;
  signingKeys: SigningKeyStore;
  groups: Groups;
  clients: ClientPages & ClientChanges & ClientImports & ClientExports;
  /** Checks the stored data against itself. */
  examine(): Promise<Examination>;
  migrate: Engine['migrate'];
  onChange: Engine['onChange'];
  ping: Engine['ping'];
  close: Engine['close'];
}

export function openStore(databaseUrl: string): Store {
  const engine = openEngine(databaseUrl);
  return {
    accounts: openAccounts(engine),
    keys: openApiKeys(engine),
    signingKeys: openSigningKeys(engine),
    groups: openGroups(engine),
    clients: {
      ...openClientPages(engine),
      ...openClientChanges(engine),
      ...openClientImports(engine),
      ...openClientExports(engine),
    },
    examine: () => examine(engine),
    migrate: engine.migrate,
    onChange: engine.onChange,
    ping: engine.ping,
    close: engine.close,
  };
}

function openEngine(databaseUrl: string): Engine {
  return openSqlite(resolve(databaseUrl.slice('sqlite:'.length)));
}
