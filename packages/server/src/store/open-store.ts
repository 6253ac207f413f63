import { resolve } from 'node:path';
import type { Accounts } from '../domain/account.ts';
import type { ClientAdditions } from '../domain/add-sample.ts';
import type { KeyEnds } from '../domain/ended-keys.ts';
import type { KeyLookup } from '../domain/exchange-key.ts';
import type { ClientPages } from '../domain/list-clients.ts';
import type { ApiKeys } from '../domain/manage-keys.ts';
import type { SigningKeyStore } from '../domain/signing-keys.ts';
import { openAccounts } from './accounts.ts';
import { openApiKeys } from './api-keys.ts';
import { openClients } from './clients.ts';
import type { Engine } from './engines/engine.ts';
import { openSqlite } from './engines/sqlite.ts';
import { type Examination, examine } from './examine.ts';
import { openSigningKeys } from './signing-keys.ts';

export interface Store {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyEnds;
  signingKeys: SigningKeyStore;
  clients: ClientPages & ClientAdditions;
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
    clients: openClients(engine),
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
