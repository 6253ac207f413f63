import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { isFailure } from '../../../domain/failure.ts';
import { migrateToLatest } from '../../migrations/migrate.ts';
import type { Tables } from '../../tables.ts';
import type { Snapshot, WritingEngine } from '../engine.ts';
import { FewSnapshots, SNAPSHOTS_AT_ONCE } from '../few-snapshots.ts';
import { type HearTrouble, TroubleNews } from '../trouble.ts';
import { arraysIn } from './arrays-in.ts';
import { ChangeWatch } from './change-notices.ts';
import { insertMany } from './copy-rows.ts';
import { isRetryable, unavailable } from './failures.ts';
import { listOf, lookUp, nameFor, numberRows, withHiddenNumbers } from './lists.ts';
import { Moved, PostgresPlace } from './place.ts';
import { BoundedPool, type Patience, READING, SERVING, WORKING } from './pool.ts';
import { ReadChoice } from './read-choice.ts';
import { PostgresSchemaDialect } from './schema.ts';
import { refused, requireUsable } from './start.ts';
import { COUNTING, PostgresStatistics } from './statistics.ts';

const WRITE_ATTEMPTS = 3;

/** Whoever changes the same workspace meanwhile waits for the lock on its row, which a request does not do for long. */
const ROWS_PER_IMPORT = 4000;

/** Long enough to be worth asking a server for, and far from the time that a statement may take. */
const SLICE_MS = 50;

/** The migrator holds its lock on one connection and works on another. */
const MIGRATION_CONNECTIONS = 2;

export interface PostgresOptions {
  poolSize: number;
  /** Whether requests wait for the answers, or a person who started a command. */
  serving: boolean;
  /** A replica that may answer lists. */
  readUrl?: string | undefined;
}

type Work<T> = (db: Transaction<Tables>) => Promise<T>;

/** Any number of nodes on one server. */
export function openPostgres(url: string, { poolSize, serving, readUrl }: PostgresOptions): WritingEngine {
  const patience = serving ? SERVING : WORKING;
  const trouble = new TroubleNews();
  const primary = connect(url, poolSize, patience, trouble.tell);
  // Of a replica's trouble nothing is told: after the first refusal the primary answers in its place.
  const replica = readUrl === undefined ? undefined : connect(readUrl, poolSize, patience);
  const lists = new ReadChoice(primary, replica);
  const { db } = primary;
  // Of their own: a request never waits for a connection that somebody who reads slowly has taken.
  const readers = connect(url, SNAPSHOTS_AT_ONCE, serving ? READING : WORKING);
  const snapshots = new FewSnapshots(() => openSnapshot(readers));
  const changes = new ChangeWatch(url, patience, async (channel) => {
    await sql`select pg_notify(${channel}, '')`.execute(db);
  });
  const place = new PostgresPlace((refusal) => {
    for (const server of [primary, replica, readers]) if (server) server.pool.refusal = refusal;
    trouble.tell(refusal);
  });
  const statistics = new PostgresStatistics(() => connect(url, 1, COUNTING).db);

  const write: WritingEngine['write'] = async (work) => {
    await place.learn(db);
    try {
      const result = await retried(
        () => place.settle(db),
        () =>
          db.transaction().execute(async (transaction) => {
            const result = await work(transaction);
            await place.announce(transaction);
            return result;
          }),
      );
      statistics.keepUp();
      return result;
    } finally {
      changes.note();
    }
  };

  return {
    dialect: 'postgres',
    reads: db,
    snapshot: (work) => readAtOneMoment(primary, work),
    listSnapshot: (work) => lists.read((server) => readAtOneMoment(server, work)),
    openSnapshot: () => snapshots.open(),
    sliceMs: SLICE_MS,
    write,
    rowsPerImport: ROWS_PER_IMPORT,
    insertMany: async (transaction, table, source) => {
      const rows = [...source];
      await insertMany(transaction, table, rows);
      statistics.noteInserted(table, rows.length);
    },
    listOf,
    numberRows,
    lookUp,
    prepareListRead: (query) => {
      const text = withHiddenNumbers(query);
      const name = nameFor(text);
      return (parameters, snapshot) =>
        snapshot
          ? arraysIn(snapshot, text, parameters)
          : lists.read(({ pool }) => pool.runPrepared(name, text, parameters));
    },
    dataVersion: () => {
      // What is in memory must not be given out either.
      if (primary.pool.refusal) throw primary.pool.refusal;
      return changes.version();
    },
    migrate: async () => {
      await requireUsable(url, 'primary');
      if (readUrl !== undefined) await requireUsableIfThere(readUrl);
      await migrate(url, place);
      // A node that starts keeps no caller waiting, so a server that is busy at that moment need not stop it.
      await primary.pool.openFirst(WORKING.connectionMs);
    },
    requireCompatible: () => place.requireCompatible(db),
    onTrouble: trouble.subscribe,
    onChange: (listener) => changes.subscribe(listener),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      changes.stop();
      await statistics.settled();
      await Promise.all([primary.pool.end(), replica?.pool.end(), readers.pool.end()]);
    },
  };
}

interface Server {
  pool: BoundedPool;
  db: Kysely<Tables>;
}

function connect(url: string, poolSize: number, patience: Patience, tell?: HearTrouble): Server {
  const pool = new BoundedPool(url, poolSize, patience, tell);
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}

function readAtOneMoment<T>({ db }: Server, work: Work<T>): Promise<T> {
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

/** A deadlock, or a server that was promoted, is nobody's fault, and the transaction that met it has left no trace. */
async function retried<T>(settle: () => Promise<void>, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const hasMoved = error instanceof Moved;
      if (!hasMoved && !isRetryable(error)) throw error;
      if (attempt === WRITE_ATTEMPTS) throw hasMoved ? unavailable(error) : error;
      if (hasMoved) await settle();
    }
  }
}

/** On connections of their own, because building an index may take longer than any request may. */
async function migrate(url: string, place: PostgresPlace): Promise<void> {
  const dialect = new PostgresSchemaDialect({ pool: new BoundedPool(url, MIGRATION_CONNECTIONS, WORKING) });
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrateToLatest(db, 'postgres');
    await place.settle(db);
  } catch (error) {
    throw refused(error, url) ?? error;
  } finally {
    await db.destroy();
  }
}

/** A replica that is away must not keep a node from starting; one that is wrongly configured should. */
async function requireUsableIfThere(url: string): Promise<void> {
  try {
    await requireUsable(url, 'replica');
  } catch (error) {
    if (!isFailure(error, 'unavailable')) throw error;
  }
}
