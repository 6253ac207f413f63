import type { Insertable } from 'kysely';
import {
  type ImportChanges,
  ImportEnded,
  type ImportJobs,
  isOver,
  REJECTS_KEPT_MAX,
  REJECTS_KEPT_MS,
  WAITING_IMPORTS_MAX,
} from '../../domain/clients/import-job.ts';
import { RUN_LEASE_MS } from '../../domain/clients/job-runner.ts';
import { Failure } from '../../domain/failure.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';
import { claimJob, countOpenJobs } from './claim-job.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { countClientsOf, keepClients, readClientIdsOf, readClientsOf } from './clients-of-imports.ts';
import {
  changedEffects,
  EFFECT_COLUMNS,
  findJob,
  NO_EFFECTS,
  ownRun,
  toEffects,
  toJob,
  WHOLE_SHARE,
} from './import-job-rows.ts';
import { removePieces, removeUnusedPieces, storedBytes } from './import-pieces.ts';
import {
  countRejectsBefore,
  deleteRejects,
  findRejects,
  readRejectReasons,
  readRejects,
  readRejectsPage,
  removeRejects,
  toReject,
} from './import-rejects.ts';
import { RunWatch } from './run-watch.ts';

/** An upload of which nothing has arrived for this long was abandoned. */
const STORING_MAX_MS = 3_600_000;

/** `steadyNow` is a clock that does not jump when the time of day is set. */
export function openImportJobs(engine: Engine, keepBooks: KeepBooks, steadyNow: () => number): ImportJobs {
  const { reads } = engine;
  const watch = new RunWatch(steadyNow);
  return {
    find: async (workspaceId, id) => {
      const row = await findJob(reads, workspaceId, id);
      return row && row.state !== 'storing' ? toJob(row) : undefined;
    },

    latest: async (workspaceId, { offset, limit }) => {
      const rows = await reads
        .selectFrom('import_jobs')
        .where('workspace_id', '=', workspaceId)
        .where('state', '!=', 'storing')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .selectAll()
        .execute();
      return rows.map(toJob);
    },

    rejects: (workspaceId, id, after, limit) => readRejects(reads, workspaceId, id, after, limit),

    rejectReasons: (workspaceId, id, limit) => readRejectReasons(reads, workspaceId, id, limit),

    rejectsPage: (workspaceId, id, page) => readRejectsPage(reads, workspaceId, id, page),

    countRejectsBefore: (workspaceId, id, rowNumber) => countRejectsBefore(reads, workspaceId, id, rowNumber),

    countClients: (workspaceId, id) => countClientsOf(reads, workspaceId, id),

    clientsPage: (workspaceId, id, page) => readClientsOf(reads, workspaceId, id, page),

    clientIds: (workspaceId, id) => readClientIdsOf(reads, workspaceId, id),

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
          share_read: null,
          inserted: 0,
          updated: 0,
          unchanged: 0,
          rejected: 0,
          ...NO_EFFECTS,
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

    size: (workspaceId, id) => storedBytes(reads, workspaceId, id),

    countOpen: () => countOpenJobs(reads, 'import_jobs'),

    claim: async (runner, now) => {
      const job = await keepBooks(async (db) => {
        const claimed = await claimJob(db, 'import_jobs', { runner, now, what: 'import', watch });
        const row = claimed && (await findJob(db, claimed.workspace_id, claimed.id));
        return row && toJob(row);
      });
      if (!job || !isOver(job)) return job;
      await removePieces(keepBooks, job.workspaceId, job.id);
      return undefined;
    },

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
        const counts = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
        const numbers = { rows_read: 0, share_read: null, ...counts, ...NO_EFFECTS };
        await ownRun(db, job, runner).set(numbers).execute();
      });
    },

    release: (job, runner) =>
      keepBooks(async (db) => void (await ownRun(db, job, runner).set({ runs_until: 0 }).execute())),

    remove: (workspaceId, id) => removeJob(keepBooks, workspaceId, id),

    removeOld: (now) => removeOld(engine, keepBooks, now),
  };
}

/** Changes to imports, under the lock of their workspace. */
export function importChangesIn(work: ClientUnitOfWork): ImportChanges {
  const { engine, db, workspaceId, at } = work;
  const update = (id: string) =>
    db.updateTable('import_jobs').where('workspace_id', '=', workspaceId).where('id', '=', id);
  return {
    find: async (id) => {
      const row = await findJob(db, workspaceId, id);
      return row && row.state !== 'storing' ? toJob(row) : undefined;
    },

    rejects: (id, rowNumbers) => findRejects(db, workspaceId, id, rowNumbers),

    clientIds: (id) => readClientIdsOf(db, workspaceId, id),

    correct: async (job, { imported, rejections, inserted, updated, unchanged, clients, ...effects }) => {
      await deleteRejects(db, job, [...imported, ...rejections.map(({ rowNumber }) => rowNumber)]);
      const rejects = rejections.map((each) => toReject(job, each));
      if (rejects.length > 0) await engine.insertMany(db, 'import_rejects', rejects);
      await update(job.id)
        .set((row) => ({
          inserted: row('inserted', '+', inserted),
          updated: row('updated', '+', updated),
          unchanged: row('unchanged', '+', unchanged),
          rejected: row('rejected', '-', imported.length),
          corrected: row('corrected', '+', imported.length),
          ...changedEffects(job, effects),
        }))
        .execute();
      await keepClients(work, job, clients, job.inserted + job.updated);
    },

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
      work.markChanged();
      await update(id).set({ state: 'cancelled', ended_at: at, runner: null }).execute();
      return { ...job, state: 'cancelled', endedAt: at };
    },

    advance: async (job, runner, progress) => {
      const advanced = await ownRun(db, job, runner)
        .set((row) => ({
          rows_read: row('rows_read', '+', progress.rows),
          share_read: progress.share === undefined ? null : Math.round(WHOLE_SHARE * progress.share),
          inserted: row('inserted', '+', progress.inserted),
          updated: row('updated', '+', progress.updated),
          unchanged: row('unchanged', '+', progress.unchanged),
          rejected: row('rejected', '+', progress.rejected),
          runs_until: at + RUN_LEASE_MS,
          attempts: 0,
        }))
        // If the answer to a commit was lost, the batch may have been imported.
        .where('rows_read', '=', progress.firstRow - 1)
        .returning(['inserted', 'updated', 'rejected', ...EFFECT_COLUMNS])
        .executeTakeFirst();
      if (!advanced) throw new ImportEnded();
      const effects = changedEffects(toEffects(advanced), progress);
      if (Object.keys(effects).length > 0) await update(job.id).set(effects).execute();
      const rowsBefore = advanced.inserted + advanced.updated - progress.inserted - progress.updated;
      await keepClients(work, job, progress.clients, rowsBefore);
      const room = REJECTS_KEPT_MAX - (advanced.rejected - progress.rejected);
      const rejects = progress.rejections.slice(0, Math.max(0, room)).map((each) => toReject(job, each));
      if (rejects.length > 0) await engine.insertMany(db, 'import_rejects', rejects);
    },

    end: async (job, runner, state, reason) => {
      // The last row may have begun long before the end of the file.
      const read = state === 'completed' ? { share_read: WHOLE_SHARE } : {};
      const ended = await ownRun(db, job, runner)
        .set({ state, reason: reason ?? null, ended_at: at, runner: null, ...read })
        .returning(['inserted', 'updated'])
        .executeTakeFirst();
      if (!ended) throw new ImportEnded();
      const hasChanged = ended.inserted + ended.updated > 0;
      if (state === 'completed' && !job.request.dryRun && !hasChanged) work.markChanged();
    },
  };
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
  throw new Failure('rate_limited', message, { retryAfterSeconds: 60 });
}

async function removeOld({ reads }: Engine, keepBooks: KeepBooks, now: number): Promise<void> {
  await removeUnusedPieces(reads, keepBooks);
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
  for (const { workspace_id, id } of old) await removeJob(keepBooks, workspace_id, id);
}

async function removeJob(keepBooks: KeepBooks, workspaceId: number, id: string): Promise<void> {
  await removePieces(keepBooks, workspaceId, id);
  await removeRejects(keepBooks, workspaceId, id);
  await keepBooks(async (db) => {
    await db.deleteFrom('import_jobs').where('workspace_id', '=', workspaceId).where('id', '=', id).execute();
  });
}
