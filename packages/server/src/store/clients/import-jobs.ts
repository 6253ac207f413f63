import type { Insertable, Selectable, Transaction } from 'kysely';
import {
  ATTEMPTS_MAX,
  type ImportChanges,
  ImportEnded,
  type ImportJob,
  type ImportJobs,
  type ImportProgress,
  type ImportState,
  isOver,
  REJECTS_KEPT_MS,
  RUN_LEASE_MS,
  WAITING_IMPORTS_MAX,
} from '../../domain/clients/import-job.ts';
import type { SourceRow } from '../../domain/clients/parse-row.ts';
import { Failure } from '../../domain/failure.ts';
import { fold, isStorable } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { lockWorkspace } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';

type JobRow = Selectable<Tables['import_jobs']>;

/** Neither holds more than a few megabytes in memory. */
const REJECTS_AT_ONCE = 500;
const PIECES_AT_ONCE = 8;

/** An upload of which nothing has arrived for this long was abandoned. */
const STORING_MAX_MS = 3_600_000;

/** As long as the longest identifier of a client. */
const CELL_MAX_LENGTH = 255;

export function openImportJobs(engine: Engine, keepBooks: KeepBooks): ImportJobs {
  const { reads } = engine;
  return {
    find: async (workspaceId, id) => {
      const row = await findJob(reads, workspaceId, id);
      return row && row.state !== 'storing' ? toJob(row) : undefined;
    },

    rejects: async (workspaceId, id, after) => {
      const rows = await reads
        .selectFrom('import_rejects')
        .where('workspace_id', '=', workspaceId)
        .where('import_id', '=', id)
        .where('row_number', '>', after)
        .orderBy('row_number')
        .limit(REJECTS_AT_ONCE)
        .select(['row_number', 'line', 'reason', 'cells'])
        .execute();
      return rows.map(({ row_number, line, reason, cells }) => ({
        rowNumber: row_number,
        row: { line, ...JSON.parse(cells) },
        reason,
      }));
    },

    begin: ({ workspaceId, id, request, actor, createdAt }) =>
      keepBooks(async (db) => {
        const row: Insertable<Tables['import_jobs']> = {
          workspace_id: workspaceId,
          id,
          state: 'storing',
          request: JSON.stringify(request),
          actor: JSON.stringify(actor),
          created_at: createdAt,
          started_at: null,
          ended_at: null,
          rows_read: 0,
          inserted: 0,
          updated: 0,
          unchanged: 0,
          rejected: 0,
          reason: null,
          runner: null,
          runs_until: createdAt,
          attempts: 0,
        };
        await db.insertInto('import_jobs').values(row).execute();
      }),

    addPiece: (workspaceId, id, { at, ...piece }) =>
      keepBooks(async (db) => {
        // The time shows that it is still being stored.
        const { numUpdatedRows } = await db
          .updateTable('import_jobs')
          .set({ runs_until: at })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('state', '=', 'storing')
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new ImportEnded();
        await db
          .insertInto('import_pieces')
          .values({ workspace_id: workspaceId, import_id: id, ...piece })
          .execute();
      }),

    discard: async (workspaceId, id) => {
      if ((await findJob(reads, workspaceId, id))?.state !== 'storing') return;
      await removePieces(keepBooks, workspaceId, id);
      await keepBooks(async (db) => {
        await db
          .deleteFrom('import_jobs')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('state', '=', 'storing')
          .execute();
      });
    },

    removePieces: (workspaceId, id) => removePieces(keepBooks, workspaceId, id),

    piece: async (workspaceId, id, number) => {
      const row = await reads
        .selectFrom('import_pieces')
        .where('workspace_id', '=', workspaceId)
        .where('import_id', '=', id)
        .where('number', '=', number)
        .select('bytes')
        .executeTakeFirst();
      return row?.bytes;
    },

    claim: (runner, now) => keepBooks((db) => claim(db, runner, now)),

    renew: (job, runner, now) =>
      keepBooks(async (db) => {
        const { numUpdatedRows } = await ownRun(db, job, runner)
          .set({ runs_until: now + RUN_LEASE_MS })
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    startOver: async (job, runner) => {
      await removeRejects(keepBooks, job.workspaceId, job.id);
      await keepBooks(async (db) => {
        const numbers = { rows_read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
        await ownRun(db, job, runner).set(numbers).execute();
      });
    },

    release: (job, runner) =>
      keepBooks(async (db) => void (await ownRun(db, job, runner).set({ runs_until: 0 }).execute())),

    removeOld: (now) => removeOld(engine, keepBooks, now),
  };
}

/** Changes to imports, under the lock of their workspace. */
export function importChangesIn(work: ClientUnitOfWork): ImportChanges {
  const { engine, db, workspaceId, at } = work;
  const update = (id: string) =>
    db.updateTable('import_jobs').where('workspace_id', '=', workspaceId).where('id', '=', id);
  return {
    enqueue: async (id) => {
      await requireRoom(db, workspaceId);
      const { numUpdatedRows } = await update(id)
        .set({ state: 'queued', created_at: at, runs_until: 0 })
        .where('state', '=', 'storing')
        .executeTakeFirst();
      const row = await findJob(db, workspaceId, id);
      if (numUpdatedRows !== 1n || !row) throw new ImportEnded();
      return toJob(row);
    },

    cancel: async (id) => {
      const row = await findJob(db, workspaceId, id);
      if (!row || row.state === 'storing') return undefined;
      const job = toJob(row);
      if (isOver(job)) return job;
      await update(id).set({ state: 'cancelled', ended_at: at, runner: null }).execute();
      return { ...job, state: 'cancelled', endedAt: at };
    },

    advance: async (job, runner, progress) => {
      const { numUpdatedRows } = await ownRun(db, job, runner)
        .set((row) => ({
          rows_read: row('rows_read', '+', progress.rows),
          inserted: row('inserted', '+', progress.inserted),
          updated: row('updated', '+', progress.updated),
          unchanged: row('unchanged', '+', progress.unchanged),
          rejected: row('rejected', '+', progress.rejected),
          runs_until: at + RUN_LEASE_MS,
          attempts: 0,
        }))
        // If the answer to a commit was lost, the batch may have been imported.
        .where('rows_read', '=', progress.firstRow - 1)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ImportEnded();
      const rejects = progress.rejections.map((each) => toReject(job, each));
      if (rejects.length > 0) await engine.insertMany(db, 'import_rejects', rejects);
    },

    end: async (job, runner, state, reason) => {
      const { numUpdatedRows } = await ownRun(db, job, runner)
        .set({ state, reason: reason ?? null, ended_at: at, runner: null })
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ImportEnded();
    },
  };
}

/** Erases the rejected rows that are about a client. */
export async function eraseRejects(
  db: Transaction<Tables>,
  client: Pick<Selectable<Tables['clients']>, 'workspace_id' | 'email_folded' | 'reference_id' | 'external_id'>,
): Promise<void> {
  const columns = ['email_folded', 'reference_id', 'external_id'] as const;
  for (const column of columns) {
    if (client[column] === null) continue;
    await db
      .deleteFrom('import_rejects')
      .where('workspace_id', '=', client.workspace_id)
      .where(column, '=', client[column])
      .execute();
  }
  // Whose they are could not be read, so all of them go.
  await db
    .deleteFrom('import_rejects')
    .where('workspace_id', '=', client.workspace_id)
    .where(({ and, eb }) => and(columns.map((column) => eb(column, 'is', null))))
    .execute();
}

/** The import, if this process still runs it. */
function ownRun(db: Transaction<Tables>, { workspaceId, id }: ImportJob, runner: string) {
  return db
    .updateTable('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('runner', '=', runner);
}

/** The workspace that has waited for longest comes first, and its oldest import. */
async function claim(db: Transaction<Tables>, runner: string, now: number): Promise<ImportJob | undefined> {
  const open = await db
    .selectFrom('import_jobs')
    .where('state', 'in', ['queued', 'running'])
    .orderBy('workspace_id')
    .orderBy('created_at')
    .select(['workspace_id', 'id', 'state', 'created_at', 'runs_until'])
    .execute();
  const byWorkspace = Map.groupBy(open, (row) => row.workspace_id);
  const waiting = [...byWorkspace.values()]
    .filter((rows) => !rows.some(({ state, runs_until }) => state === 'running' && runs_until > now))
    .flatMap((rows) => rows.find(({ state }) => state === 'running') ?? rows[0] ?? []);
  const next = await longestWaiting(db, waiting);
  if (!next) return undefined;
  // Under the lock, because another process may have claimed an import of the same workspace meanwhile.
  await lockWorkspace(db, next.workspace_id);
  const row = await findJob(db, next.workspace_id, next.id);
  const others = await db
    .selectFrom('import_jobs')
    .where('workspace_id', '=', next.workspace_id)
    .where('state', '=', 'running')
    .where('runs_until', '>', now)
    .select('id')
    .execute();
  if (!row || isOver(toJob(row)) || others.length > 0) return undefined;
  return start(db, row, runner, now);
}

/** The one whose workspace had no turn for longest, and then the oldest one. */
async function longestWaiting<Row extends { workspace_id: number; created_at: number }>(
  db: ReadOnlyDatabase,
  waiting: readonly Row[],
): Promise<Row | undefined> {
  if (waiting.length <= 1) return waiting[0];
  const turns = await db
    .selectFrom('import_jobs')
    .where(
      'workspace_id',
      'in',
      waiting.map((row) => row.workspace_id),
    )
    .groupBy('workspace_id')
    .select(({ fn }) => ['workspace_id', fn.max('started_at').as('last')])
    .execute();
  const last = new Map(turns.map((row) => [row.workspace_id, row.last ?? 0]));
  const turnOf = (row: Row) => last.get(row.workspace_id) ?? 0;
  return waiting.toSorted((a, b) => turnOf(a) - turnOf(b) || a.created_at - b.created_at)[0];
}

async function start(
  db: Transaction<Tables>,
  row: JobRow,
  runner: string,
  now: number,
): Promise<ImportJob | undefined> {
  const begun = {
    runner,
    runs_until: now + RUN_LEASE_MS,
    started_at: row.started_at ?? now,
    attempts: row.attempts + 1,
  };
  const given = { state: 'failed', reason: 'The import was interrupted too often at the same place.', ended_at: now };
  const isHopeless = begun.attempts > ATTEMPTS_MAX;
  const started = isHopeless ? { ...begun, ...given, runner: null } : { ...begun, state: 'running' };
  await db
    .updateTable('import_jobs')
    .set(started)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  return isHopeless ? undefined : toJob({ ...row, ...started });
}

function findJob(db: ReadOnlyDatabase, workspaceId: number, id: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

function toJob(row: JobRow): ImportJob {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    state: row.state as ImportState,
    request: JSON.parse(row.request),
    actor: JSON.parse(row.actor),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    rowsRead: row.rows_read,
    inserted: row.inserted,
    updated: row.updated,
    unchanged: row.unchanged,
    rejected: row.rejected,
    reason: row.reason,
  };
}

function toReject(
  { workspaceId, id }: ImportJob,
  { rowNumber, row, reason }: ImportProgress['rejections'][number],
): Selectable<Tables['import_rejects']> {
  const { line, cells, unreadable, raw } = row;
  return {
    workspace_id: workspaceId,
    import_id: id,
    row_number: rowNumber,
    line,
    reason: reason.toWellFormed().replaceAll('\0', ''),
    cells: JSON.stringify({ cells: shortened(cells), unreadable, raw }),
    email_folded: identifier(fold(cells.email ?? '')),
    reference_id: identifier(cells.reference_id),
    external_id: identifier(cells.external_id),
  };
}

/** A wrong cell may have a million characters. The beginning is enough to find it. */
function shortened(cells: SourceRow['cells']): SourceRow['cells'] {
  const entries = Object.entries(cells).map(([column, cell]) => [column, cell.slice(0, CELL_MAX_LENGTH)]);
  return Object.fromEntries(entries);
}

/** Null for what cannot belong to a client. */
function identifier(cell = ''): string | null {
  const id = cell.trim();
  return id !== '' && id.length <= CELL_MAX_LENGTH && isStorable(id) ? id : null;
}

/** In several transactions, so that no other one waits for long. */
async function removePieces(keepBooks: KeepBooks, workspaceId: number, id: string): Promise<void> {
  for (let removed = PIECES_AT_ONCE; removed === PIECES_AT_ONCE; ) {
    removed = await keepBooks(async (db) => {
      const pieces = await db
        .selectFrom('import_pieces')
        .where('workspace_id', '=', workspaceId)
        .where('import_id', '=', id)
        .select('number')
        // The first one goes last: as long as it exists, the others are found.
        .orderBy('number', 'desc')
        .limit(PIECES_AT_ONCE)
        .execute();
      for (const { number } of pieces) {
        await db
          .deleteFrom('import_pieces')
          .where('workspace_id', '=', workspaceId)
          .where('import_id', '=', id)
          .where('number', '=', number)
          .execute();
      }
      return pieces.length;
    });
  }
}

/** In several transactions as well, because there may be millions. */
async function removeRejects(keepBooks: KeepBooks, workspaceId: number, id: string): Promise<void> {
  for (let removed = REJECTS_AT_ONCE; removed === REJECTS_AT_ONCE; ) {
    removed = await keepBooks(async (db) => {
      const own = { workspace_id: workspaceId, import_id: id };
      const last = await db
        .selectFrom('import_rejects')
        .where((row) => row.and(own))
        .orderBy('row_number')
        .limit(REJECTS_AT_ONCE)
        .select('row_number')
        .execute();
      const until = last.at(-1)?.row_number ?? 0;
      await db
        .deleteFrom('import_rejects')
        .where((row) => row.and(own))
        .where('row_number', '<=', until)
        .execute();
      return last.length;
    });
  }
}

async function requireRoom(db: ReadOnlyDatabase, workspaceId: number): Promise<void> {
  const waiting = await db
    .selectFrom('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'queued')
    .select('id')
    .execute();
  if (waiting.length < WAITING_IMPORTS_MAX) return;
  const message = `${WAITING_IMPORTS_MAX} imports are waiting already. Try again when some of them are over.`;
  throw new Failure('conflict', message, { retryAfterSeconds: 60 });
}

async function removeOld({ reads }: Engine, keepBooks: KeepBooks, now: number): Promise<void> {
  // Left by a process that was killed after the end of an import.
  const ended = await reads
    .selectFrom('import_pieces')
    .innerJoin('import_jobs', (join) =>
      join
        .onRef('import_jobs.workspace_id', '=', 'import_pieces.workspace_id')
        .onRef('import_jobs.id', '=', 'import_pieces.import_id'),
    )
    .where('import_pieces.number', '=', 0)
    .where('import_jobs.ended_at', 'is not', null)
    .select(['import_jobs.workspace_id', 'import_jobs.id'])
    .execute();
  for (const { workspace_id, id } of ended) await removePieces(keepBooks, workspace_id, id);
  const orphans = await reads
    .selectFrom('import_pieces')
    .leftJoin('import_jobs', (join) =>
      join
        .onRef('import_jobs.workspace_id', '=', 'import_pieces.workspace_id')
        .onRef('import_jobs.id', '=', 'import_pieces.import_id'),
    )
    .where('import_pieces.number', '=', 0)
    .where('import_jobs.id', 'is', null)
    .select(['import_pieces.workspace_id', 'import_pieces.import_id'])
    .execute();
  for (const { workspace_id, import_id } of orphans) await removePieces(keepBooks, workspace_id, import_id);
  const old = await reads
    .selectFrom('import_jobs')
    .where(({ and, or, eb }) =>
      or([
        and([eb('state', '=', 'storing'), eb('runs_until', '<', now - STORING_MAX_MS)]),
        eb('ended_at', '<', now - REJECTS_KEPT_MS),
      ]),
    )
    .select(['workspace_id', 'id'])
    .execute();
  for (const { workspace_id, id } of old) {
    await removePieces(keepBooks, workspace_id, id);
    await removeRejects(keepBooks, workspace_id, id);
    await keepBooks(async (db) => {
      await db.deleteFrom('import_jobs').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
    });
  }
}
