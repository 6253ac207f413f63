import { resolve } from 'node:path';
import type { Occasion } from '../domain/change.ts';
import type {
  ClientCounts,
  ClientExports,
  ClientImports,
  ClientLookup,
  ClientPages,
  ClientSearches,
  Groups,
} from '../domain/clients/index.ts';
import type { ApiKeys, KeyEnds, KeyLookup, KeyUsageStore, SigningKeyStore } from '../domain/credentials/index.ts';
import type {
  Accounts,
  ActivityLog,
  MemberCredentials,
  Members,
  OneTimeLinks,
  Profiles,
  Sessions,
} from '../domain/members/index.ts';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import { openSeam, type Seam } from './change.ts';
import {
  LEVELS,
  type Levels,
  openClientCounts,
  openClientExports,
  openClientImports,
  openClientLookup,
  openClientPages,
  openClientSearches,
  openGroups,
} from './clients/index.ts';
import { openApiKeys, openKeyUsage, openSigningKeys } from './credentials/index.ts';
import type { Engine, WritingEngine } from './engines/engine.ts';
import { openPostgres } from './engines/postgres/postgres.ts';
import { openSqlite } from './engines/sqlite/sqlite.ts';
import { type Examination, examine } from './examine.ts';
import { tryWriting } from './installation.ts';
import {
  openAccounts,
  openActivity,
  openCredentials,
  openMembers,
  openOneTimeLinks,
  openProfiles,
  openSessions,
} from './members/index.ts';
import { type Outage, OutageWatch } from './outage-watch.ts';
import { openVersions } from './workspaces.ts';

/** Enough for what a command does. */
const POOL_SIZE = 4;

export interface Store extends Omit<Seam, 'keepBooks'> {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyEnds;
  signingKeys: SigningKeyStore;
  versions: WorkspaceVersions;
  groups: Groups;
  clients: ClientPages & ClientLookup & ClientImports & ClientExports;
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
  /** Builds the counted index of every workspace anew from its clients. */
  repair(occasion: Occasion): Promise<void>;
  migrate: Engine['migrate'];
  onChange: Engine['onChange'];
  ping: Engine['ping'];
  requireCompatible: Engine['requireCompatible'];
  /** Fails with the reason when nothing can be written; tries it at most once a second. */
  requireWritable(): Promise<void>;
  /** Calls the listener when, and why, an outage of the database begins and ends. Returns how to stop. */
  onOutage(listener: (outage: Outage) => void): () => void;
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
  const { keepBooks, ...changes } = openSeam(engine, levels);
  const outages = new OutageWatch({ onTrouble: engine.onTrouble, tryWriting: () => keepBooks(tryWriting) });
  return {
    ...changes,
    accounts: openAccounts(engine),
    keys: openApiKeys(engine),
    signingKeys: openSigningKeys(engine),
    groups: openGroups(engine),
    clients: {
      ...openClientPages(engine),
      ...openClientLookup(engine),
      ...openClientImports(engine),
      ...openClientExports(engine),
    },
    versions: openVersions(engine),
    searches: openClientSearches(engine),
    counts: openClientCounts(engine),
    members: openMembers(engine),
    credentials: openCredentials(engine),
    profiles: openProfiles(engine, keepBooks),
    sessions: openSessions(engine, keepBooks),
    links: openOneTimeLinks(engine, keepBooks),
    keyUsage: openKeyUsage(engine, keepBooks),
    activity: openActivity(engine),
    examine: () => examine(engine),
    repair: (occasion) => repair(engine, changes.changeWorkspace, occasion),
    migrate: engine.migrate,
    onChange: engine.onChange,
    ping: engine.ping,
    requireCompatible: engine.requireCompatible,
    requireWritable: () => outages.requireWritable(),
    onOutage: (listener) => outages.subscribe(listener),
    close: () => {
      outages.stop();
      return engine.close();
    },
  };
}

/** One workspace at a time: a change of another need not wait for all of them. */
async function repair(engine: Engine, changeWorkspace: Seam['changeWorkspace'], occasion: Occasion): Promise<void> {
  const workspaces = await engine.reads.selectFrom('workspaces').select('id').orderBy('id').execute();
  for (const { id: workspaceId } of workspaces) {
    await changeWorkspace({ ...occasion, workspaceId }, async (change) => {
      await change.rebuildIndex();
      change.record('workspace.index-rebuilt', '');
    });
  }
}

export function openEngine(databaseUrl: string, options: EngineOptions = {}): WritingEngine {
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(resolve(databaseUrl.slice('sqlite:'.length)));
  const { poolSize = POOL_SIZE, serving = false, readDatabaseUrl } = options;
  return openPostgres(databaseUrl, { poolSize, serving, readUrl: readDatabaseUrl });
}
