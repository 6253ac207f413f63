import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { isFailure } from '../../../domain/failure.ts';
import { migrateToLatest } from '../../migrations/migrate.ts';
import type { MigrationListener } from '../../migrations/migration-listener.ts';
import type { Tables } from '../../tables.ts';
import { UnavailableEvents, type UnavailableListener } from '../database-unavailable.ts';
import type { Snapshot, WritingEngine } from '../engine.ts';
import { rowsAsArrays } from '../rows-as-arrays.ts';
import { OPEN_SNAPSHOTS_MAX, SnapshotLimit } from '../snapshot-limit.ts';
import { BoundedPool, COMMAND_TIMEOUTS, LONG_READ_TIMEOUTS, REQUEST_TIMEOUTS, type Timeouts } from './bounded-pool.ts';
import { ChangeListener } from './change-listener.ts';
import { refusalOf, requireUsable } from './check-at-start.ts';
import { insertMany } from './copy-rows.ts';
import { DatabaseIdentity, IdentityChanged } from './database-identity.ts';
import { LEASE_TIMEOUTS, PostgresBuckets } from './postgres-buckets.ts';
import { ReplicaRouter } from './replica-router.ts';
import { rewriteTables } from './rewrite-tables.ts';
import { PostgresSchemaDialect } from './schema-dialect.ts';
import {
  forceGenericPlan,
  isOneOf,
  jsonOf,
  jsonText,
  jsonTexts,
  listOf,
  lookUp,
  mergedPage,
  numberRows,
  pairRows,
  statementName,
  textRows,
} from './sql-fragments.ts';
import { ANALYZE_TIMEOUTS, PostgresStatistics } from './statistics.ts';
import { isRetryable, toUnavailable } from './unavailable-errors.ts';
import { wordIndex } from './word-index.ts';

const WRITE_ATTEMPTS = 3;

/** Other changes to the workspace wait for the lock on its row, and a request must not wait for long. */
const ROWS_PER_IMPORT = 4000;

/** Long enough to be worth a round trip, and far below the statement timeout. */
const SLICE_MS = 50;

/** The migrator holds its lock on one connection and uses another one for the migrations. */
const MIGRATION_CONNECTIONS = 2;

export interface PostgresOptions {
  poolSize: number;
  /** Whether the engine serves requests, which must not wait for long, or a command. */
  serving: boolean;
  /** A replica from which lists may be read. */
  readUrl?: string | undefined;
}

type Work<T> = (db: Transaction<Tables>) => Promise<T>;

/** Any number of nodes can use one server. */
export function openPostgres(url: string, { poolSize, serving, readUrl }: PostgresOptions): WritingEngine {
  const timeouts = serving ? REQUEST_TIMEOUTS : COMMAND_TIMEOUTS;
  const failures = new UnavailableEvents();
  const primary = connect(url, poolSize, timeouts, failures.emit);
  // Failures of the replica are not reported, because the primary then answers instead.
  const replica = readUrl === undefined ? undefined : connect(readUrl, poolSize, timeouts);
  const listReads = new ReplicaRouter(primary, replica);
  const { db } = primary;
  // A separate pool, so that slow readers cannot take connections from requests.
  const snapshotServer = connect(url, OPEN_SNAPSHOTS_MAX, serving ? LONG_READ_TIMEOUTS : COMMAND_TIMEOUTS);
  // A connection of its own, so that a lease does not wait for requests. Its failures are not reported, because each process
  // then counts calls by itself.
  const leaseServer = connect(url, 1, serving ? LEASE_TIMEOUTS : COMMAND_TIMEOUTS);
  const snapshots = new SnapshotLimit(() => openSnapshot(snapshotServer));
  const changes = new ChangeListener(url, timeouts, async (channel) => {
    await sql`select pg_notify(${channel}, '')`.execute(db);
  });
  const identity = new DatabaseIdentity((refusal) => {
    for (const server of [primary, replica, snapshotServer, leaseServer]) if (server) server.pool.refusal = refusal;
    failures.emit(refusal);
  });
  const statistics = new PostgresStatistics(() => connect(url, 1, ANALYZE_TIMEOUTS).db);

  const write: WritingEngine['write'] = async (work) => {
    await identity.detect(db);
    try {
      const result = await withRetries(
        () => identity.record(db),
        () =>
          db.transaction().execute(async (transaction) => {
            const result = await work(transaction);
            await identity.announce(transaction);
            return result;
          }),
      );
      statistics.analyzeIfDue();
      return result;
    } finally {
      changes.noteOwnChange();
    }
  };

  return {
    dialect: 'postgres',
    reads: db,
    snapshot: (work) => readInSnapshot(primary, work),
    listSnapshot: (work) => listReads.read((server) => readInSnapshot(server, work)),
    openSnapshot: () => snapshots.open(),
    // The server reads in processes of its own.
    openThread: undefined,
    sliceMs: SLICE_MS,
    write,
    // Reads and other workspaces wait for a connection, not for a lock.
    isAwaited: async (db) => primary.pool.isAwaited || isAwaited(db),
    rowsPerImport: ROWS_PER_IMPORT,
    insertMany: async (transaction, table, source) => {
      const rows = [...source];
      await insertMany(transaction, table, rows);
      statistics.noteInserted(table, rows.length);
    },
    words: wordIndex,
    listOf,
    jsonOf,
    isOneOf,
    jsonText,
    jsonTexts,
    mergedPage,
    numberRows,
    pairRows,
    textRows,
    lookUp,
    prepareListRead: (query) => {
      const text = forceGenericPlan(query);
      const name = statementName(text);
      return (parameters, snapshot) =>
        snapshot
          ? rowsAsArrays(snapshot, text, parameters)
          : listReads.read(({ pool }) => pool.runPrepared(name, text, parameters));
    },
    dataVersion: () => {
      // Cached data must not be used either.
      if (primary.pool.refusal) throw primary.pool.refusal;
      return changes.version();
    },
    migrate: async (listener) => {
      await requireUsable(url, 'primary');
      if (readUrl !== undefined) await requireUsableIfAvailable(readUrl);
      await migrate(url, identity, listener);
      // No request waits while a node starts, so a busy server may take longer.
      await primary.pool.openFirst(COMMAND_TIMEOUTS.connectionMs);
      if (serving) await leaseServer.pool.openFirst(COMMAND_TIMEOUTS.connectionMs);
    },
    sharedBuckets: new PostgresBuckets(leaseServer.db, db),
    rewrite: (tables) => rewriteTables(url, tables),
    requireCompatible: () => identity.requireCompatible(db),
    onUnavailable: failures.subscribe,
    onChange: (listener) => changes.subscribe(listener),
    // Listeners are called often enough even if nothing has changed.
    unchangedAt: () => 0,
    pools: () => [
      primary.pool.use('requests'),
      ...(replica ? [replica.pool.use('replica')] : []),
      { ...snapshots.use, idle: snapshotServer.pool.use('snapshots').idle },
      leaseServer.pool.use('rate_limits'),
    ],
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      changes.stop();
      await statistics.finished();
      await Promise.all([primary.pool.end(), replica?.pool.end(), snapshotServer.pool.end(), leaseServer.pool.end()]);
    },
  };
}

/** Every transaction that changes what this one has locked waits for its end. */
async function isAwaited(db: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'transactionid' and transactionid = pg_current_xact_id()::xid and not granted
    ) as awaited`.execute(db);
  return rows[0]?.awaited ?? false;
}

interface Server {
  pool: BoundedPool;
  db: Kysely<Tables>;
}

function connect(url: string, poolSize: number, timeouts: Timeouts, report?: UnavailableListener): Server {
  const pool = new BoundedPool(url, poolSize, timeouts, report);
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}

function readInSnapshot<T>({ db }: Server, work: Work<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

async function openSnapshot(server: Server): Promise<Snapshot> {
  const db = await server.db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  return { db, close: () => db.rollback().execute() };
}

/** Repeats a transaction that was rolled back because of a deadlock, or because the server was promoted. */
async function withRetries<T>(recordIdentity: () => Promise<void>, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const isOtherDatabase = error instanceof IdentityChanged;
      if (!isOtherDatabase && !isRetryable(error)) throw error;
      if (attempt === WRITE_ATTEMPTS) throw isOtherDatabase ? toUnavailable(error) : error;
      if (isOtherDatabase) await recordIdentity();
    }
  }
}

/** Uses its own connections, because building an index may take longer than the timeouts of requests allow. */
async function migrate(url: string, identity: DatabaseIdentity, listener?: MigrationListener): Promise<void> {
  const dialect = new PostgresSchemaDialect({ pool: new BoundedPool(url, MIGRATION_CONNECTIONS, COMMAND_TIMEOUTS) });
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrateToLatest(db, 'postgres', listener);
    await identity.record(db);
  } catch (error) {
    throw refusalOf(error, url) ?? error;
  } finally {
    await db.destroy();
  }
}

/** An unavailable replica must not prevent a node from starting; a wrongly configured one should. */
async function requireUsableIfAvailable(url: string): Promise<void> {
  try {
    await requireUsable(url, 'replica');
  } catch (error) {
    if (!isFailure(error, 'unavailable')) throw error;
  }
}
