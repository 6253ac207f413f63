import { resolve } from 'node:path';
import type { Accounts } from '../domain/account.ts';
import type { ActivityLog } from '../domain/activity.ts';
import type { ClientCounts } from '../domain/client-counts.ts';
import type { KeyEnds } from '../domain/ended-keys.ts';
import type { KeyLookup } from '../domain/exchange-key.ts';
import type { ClientExports } from '../domain/export-clients.ts';
import type { ClientImports } from '../domain/import-clients.ts';
import type { KeyUsageStore } from '../domain/key-usage.ts';
import type { ClientPages } from '../domain/list-clients.ts';
import type { ClientChanges } from '../domain/manage-clients.ts';
import type { Groups } from '../domain/manage-groups.ts';
import type { ApiKeys } from '../domain/manage-keys.ts';
import type { Members } from '../domain/manage-members.ts';
import type { Profiles } from '../domain/manage-profile.ts';
import type { OneTimeLinks } from '../domain/one-time-link.ts';
import type { ClientSearches } from '../domain/search-clients.ts';
import type { Sessions } from '../domain/session.ts';
import type { MemberCredentials } from '../domain/sign-in.ts';
import type { SigningKeyStore } from '../domain/signing-keys.ts';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import { openAccounts } from './accounts.ts';
import { openActivity } from './activity.ts';
import { openApiKeys } from './api-keys.ts';
import { openClientChanges } from './client-changes.ts';
import { openClientCounts } from './client-counts.ts';
import { openClientExports } from './client-exports.ts';
import { openClientImports } from './client-import.ts';
import { LEVELS, type Levels } from './client-index/levels.ts';
import { rebuildIndex } from './client-index/rebuild.ts';
import { openClientPages } from './client-pages.ts';
import { openClientSearches } from './client-searches.ts';
import type { Engine } from './engines/engine.ts';
import { openPostgres } from './engines/postgres.ts';
import { openSqlite } from './engines/sqlite.ts';
import { type Examination, examine } from './examine.ts';
import { openGroups } from './groups.ts';
import { openKeyUsage } from './key-usage.ts';
import { openCredentials, openMembers } from './members.ts';
import { openOneTimeLinks } from './one-time-links.ts';
import { openProfiles } from './profiles.ts';
import { openSessions } from './sessions.ts';
import { openSigningKeys } from './signing-keys.ts';
import { openVersions } from './workspaces.ts';

/** Enough for what a command does. */
const POOL_SIZE = 4;

export interface Store {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyEnds;
  signingKeys: SigningKeyStore;
  versions: WorkspaceVersions;
  groups: Groups;
  clients: ClientPages & ClientChanges & ClientImports & ClientExports;
  searches: ClientSearches;
  counts: ClientCounts;
  members: Members;
  credentials: MemberCredentials;
  profiles: Profiles;
  sessions: Sessions;
  links: OneTimeLinks;
  keyUsage: KeyUsageStore;
  activity: ActivityLog;
  /** Checks the stored data against itself. */
  examine(): Promise<Examination>;
  /** Builds the counted index anew from the clients. */
  repair(): Promise<void>;
  migrate: Engine['migrate'];
  renewEpoch: Engine['renewEpoch'];
  onChange: Engine['onChange'];
  ping: Engine['ping'];
  close: Engine['close'];
}

export interface StoreOptions extends EngineOptions {
  /** For tests: tiny runs are cut up all the time. */
  levels?: Levels;
}

export interface EngineOptions {
  /** Connections that one process may hold to a PostgreSQL server. */
  poolSize?: number;
  /** Requests wait for the store, so it must answer or fail soon; otherwise a person does, who has time. */
  serving?: boolean;
  /** A PostgreSQL replica that may answer lists of clients. */
  readDatabaseUrl?: string | undefined;
}

export function openStore(databaseUrl: string, { levels = LEVELS, ...options }: StoreOptions = {}): Store {
  const engine = openEngine(databaseUrl, options);
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
    searches: openClientSearches(engine),
    counts: openClientCounts(engine),
    members: openMembers(engine),
    credentials: openCredentials(engine),
    profiles: openProfiles(engine),
    sessions: openSessions(engine),
    links: openOneTimeLinks(engine),
    keyUsage: openKeyUsage(engine),
    activity: openActivity(engine),
    examine: () => examine(engine),
    repair: () => rebuildIndex(engine, levels),
    migrate: engine.migrate,
    renewEpoch: engine.renewEpoch,
    onChange: engine.onChange,
    ping: engine.ping,
    close: engine.close,
  };
}

export function openEngine(databaseUrl: string, options: EngineOptions = {}): Engine {
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(resolve(databaseUrl.slice('sqlite:'.length)));
  const { poolSize = POOL_SIZE, serving = false, readDatabaseUrl } = options;
  return openPostgres(databaseUrl, { poolSize, serving, readUrl: readDatabaseUrl });
}
