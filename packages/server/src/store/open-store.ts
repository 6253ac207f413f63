import { resolve } from 'node:path';
import type {
  BulkChanges,
  ClientCounts,
  ClientExports,
  ClientImports,
  ClientLookup,
  ClientPages,
  ClientSearches,
  ClientSummaries,
  Groups,
  ImportJobs,
  ReviewQueue,
  ReviewTimes,
  SavedViews,
} from '../domain/clients/index.ts';
import type {
  ApiKeys,
  KeyDirectoryStore,
  KeyListingStore,
  KeyLookup,
  KeyUsageStore,
  SigningKeyStore,
} from '../domain/credentials/index.ts';
import { InstallationSecrets, type SealedState } from '../domain/installation-secrets.ts';
import {
  type Accounts,
  type ActivityChains,
  type ActivityCuts,
  type ActivityLog,
  type Identities,
  KnownDevices,
  type MailQueue,
  type MemberCredentials,
  type Members,
  type OneTimeLinks,
  type Passkeys,
  type Profiles,
  RecentDenials,
  RefusedSignIns,
  type Sessions,
  SignInAttempts,
} from '../domain/members/index.ts';
import type { InstallationSecret } from '../domain/sealed-text.ts';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import { openSeam, type Seam } from './change.ts';
import { type ConsistencyReport, checkConsistency } from './check-consistency.ts';
import {
  INDEX_LEVELS,
  type IndexLevels,
  type KeptAnswers,
  ListCache,
  openBulkChanges,
  openClientCounts,
  openClientExports,
  openClientImports,
  openClientLookup,
  openClientPages,
  openClientSearches,
  openClientSummaries,
  openGroups,
  openImportJobs,
  openKeptAnswers,
  openReviewQueue,
  openReviewTimes,
  openSavedViews,
  SEARCH_BOUNDS,
  type SearchBounds,
} from './clients/index.ts';
import { openApiKeys, openKeyDirectory, openKeyListings, openKeyUsage, openSigningKeys } from './credentials/index.ts';
import type { Engine, PoolUse, WritingEngine } from './engines/engine.ts';
import { openPostgres } from './engines/postgres/postgres.ts';
import { openSqlite } from './engines/sqlite/sqlite.ts';
import { tryWriting } from './installation.ts';
import {
  openAccounts,
  openActivity,
  openActivityChains,
  openActivityCuts,
  openCredentials,
  openIdentities,
  openMailQueue,
  openMembers,
  openOneTimeLinks,
  openPasskeys,
  openProfiles,
  openSessions,
  openSignInAttempts,
} from './members/index.ts';
import { type Outage, OutageMonitor } from './outage-monitor.ts';
import { openSealedState } from './sealed-columns.ts';
import { secretSource } from './secret-source.ts';
import { openWorkspaceVersions } from './workspace-versions.ts';

/** The number of connections that a command may use. The service has a setting for it. */
const POOL_SIZE = 4;

export interface Store extends Omit<Seam, 'keepBooks'> {
  accounts: Accounts;
  keys: ApiKeys & KeyLookup & KeyDirectoryStore;
  signingKeys: SigningKeyStore;
  /** The secrets that open what is stored encrypted. They are read only when one is needed. */
  secrets: InstallationSecrets;
  sealed: SealedState;
  versions: WorkspaceVersions;
  groups: Groups;
  clients: ClientPages & ClientLookup & ClientImports & ClientExports;
  searches: ClientSearches;
  views: SavedViews;
  counts: ClientCounts;
  summaries: ClientSummaries;
  reviewQueue: ReviewQueue;
  reviewTimes: ReviewTimes;
  members: Members;
  credentials: MemberCredentials;
  profiles: Profiles;
  sessions: Sessions;
  links: OneTimeLinks;
  mailQueue: MailQueue;
  passkeys: Passkeys;
  identities: Identities;
  attempts: SignInAttempts;
  refusals: RefusedSignIns;
  denials: RecentDenials;
  knownDevices: KnownDevices;
  keyUsage: KeyUsageStore;
  keyListings: KeyListingStore;
  activity: ActivityLog;
  activityChains: ActivityChains;
  activityCuts: ActivityCuts;
  keptAnswers: KeptAnswers;
  imports: ImportJobs;
  bulkChanges: BulkChanges;
  /** Checks that the stored data is consistent. */
  checkConsistency(): Promise<ConsistencyReport>;
  workspaceIds(): Promise<number[]>;
  migrate: Engine['migrate'];
  onChange: Engine['onChange'];
  ping: Engine['ping'];
  unchangedAt: Engine['unchangedAt'];
  /** The memory of counted lists, and how the connections are used. */
  usage(): { indexBytes: number; pools: PoolUse[] };
  sharedBuckets: Engine['sharedBuckets'];
  requireCompatible: Engine['requireCompatible'];
  /** Fails with the reason if the database cannot be written to. It tries a write at most once a second. */
  requireWritable(): Promise<void>;
  /** Calls the listener when an outage of the database begins, with the reason, and when it ends. Returns the function that unsubscribes. */
  onOutage(listener: (outage: Outage) => void): () => void;
  close: Engine['close'];
}

export interface StoreOptions extends EngineOptions {
  /** The secrets of the settings. Without any, an SQLite database has its secret in a file. */
  secrets?: readonly InstallationSecret[];
  /** Tests use small levels, so that runs are split often. */
  indexLevels?: IndexLevels;
  /** Tests use small bounds, so that every way of searching is taken. */
  searchBounds?: SearchBounds;
  /** A clock that does not jump when the time of day is set. Tests move it by themselves. */
  steadyNow?: () => number;
}

export interface EngineOptions {
  /** The maximum number of connections of a process to a PostgreSQL server. */
  poolSize?: number;
  /** Whether the store answers requests and so must answer or fail quickly. Otherwise it serves a command, which may take long. */
  serving?: boolean;
  /** A PostgreSQL replica from which lists of clients may be read. */
  readDatabaseUrl?: string | undefined;
}

export function openStore(databaseUrl: string, storeOptions: StoreOptions = {}): Store {
  const { indexLevels = INDEX_LEVELS, searchBounds = SEARCH_BOUNDS, secrets = [], ...others } = storeOptions;
  const { steadyNow = () => performance.now(), ...options } = others;
  const engine = openEngine(databaseUrl, options);
  const { keepBooks, ...changes } = openSeam(engine, indexLevels);
  const listCache = new ListCache(indexLevels);
  const pages = openClientPages(engine, indexLevels, listCache);
  const installationSecrets = new InstallationSecrets(secretSource(databaseUrl, secrets));
  const sealed = openSealedState(engine, keepBooks);
  const outages = new OutageMonitor({ onUnavailable: engine.onUnavailable, tryWriting: () => keepBooks(tryWriting) });
  return {
    ...changes,
    accounts: openAccounts(engine),
    keys: { ...openApiKeys(engine), ...openKeyDirectory(engine) },
    signingKeys: openSigningKeys(engine),
    secrets: installationSecrets,
    sealed,
    groups: openGroups(engine),
    clients: {
      ...pages,
      ...openClientLookup(engine),
      ...openClientImports(engine),
      ...openClientExports(engine, searchBounds),
    },
    versions: openWorkspaceVersions(engine),
    searches: openClientSearches(engine, pages, searchBounds),
    views: openSavedViews(engine),
    counts: openClientCounts(engine),
    summaries: openClientSummaries(engine, listCache),
    reviewQueue: openReviewQueue(engine),
    reviewTimes: openReviewTimes(engine),
    members: openMembers(engine),
    credentials: openCredentials(engine),
    profiles: openProfiles(engine),
    sessions: openSessions(engine, keepBooks),
    links: openOneTimeLinks(engine, keepBooks),
    mailQueue: openMailQueue(engine, keepBooks),
    passkeys: openPasskeys(engine, keepBooks),
    identities: openIdentities(engine),
    attempts: new SignInAttempts(openSignInAttempts(keepBooks)),
    refusals: new RefusedSignIns(changes),
    denials: new RecentDenials(),
    knownDevices: new KnownDevices({ secrets: installationSecrets, sealed }),
    keyUsage: openKeyUsage(engine, keepBooks),
    keyListings: openKeyListings(engine, keepBooks),
    activity: openActivity(engine),
    activityChains: openActivityChains(engine),
    activityCuts: openActivityCuts(engine),
    keptAnswers: openKeptAnswers(keepBooks),
    imports: openImportJobs(engine, keepBooks, steadyNow),
    bulkChanges: openBulkChanges(engine, keepBooks, steadyNow),
    checkConsistency: () => checkConsistency(engine),
    workspaceIds: () => readWorkspaceIds(engine),
    migrate: engine.migrate,
    onChange: engine.onChange,
    ping: engine.ping,
    unchangedAt: engine.unchangedAt,
    usage: () => ({ indexBytes: listCache.bytes, pools: engine.pools() }),
    sharedBuckets: engine.sharedBuckets,
    requireCompatible: engine.requireCompatible,
    requireWritable: () => outages.requireWritable(),
    onOutage: (listener) => outages.subscribe(listener),
    close: () => {
      outages.stop();
      return engine.close();
    },
  };
}

async function readWorkspaceIds(engine: Engine): Promise<number[]> {
  const workspaces = await engine.reads.selectFrom('workspaces').select('id').orderBy('id').execute();
  return workspaces.map(({ id }) => id);
}

export function openEngine(databaseUrl: string, options: EngineOptions = {}): WritingEngine {
  const { poolSize = POOL_SIZE, serving = false, readDatabaseUrl } = options;
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(resolve(databaseUrl.slice('sqlite:'.length)), { serving });
  return openPostgres(databaseUrl, { poolSize, serving, readUrl: readDatabaseUrl });
}
