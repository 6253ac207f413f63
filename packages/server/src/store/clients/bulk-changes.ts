import type { Selectable } from 'kysely';
import {
  BULK_CHANGES_KEPT_MS,
  type BulkChange,
  BulkChangeEnded,
  type BulkChangeParts,
  type BulkChanges,
  type BulkProgress,
  isBulkChangeOver,
  type ListedBulkChange,
  mergeRefusals,
  type NewBulkChange,
  type NextClients,
  WAITING_BULK_CHANGES_MAX,
  withVersion,
} from '../../domain/clients/bulk-change.ts';
import type { ImportState } from '../../domain/clients/import-state.ts';
import { RUN_LEASE_MS } from '../../domain/clients/job-runner.ts';
import { Failure } from '../../domain/failure.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { Books, KeepBooks } from '../unit-of-work.ts';
import { NOT_FOUND } from './change-many.ts';
import { claimJob, countOpenJobs, openStates } from './claim-job.ts';
import { LIST_START } from './client-index/combination.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { nextOfFilter } from './next-of-filter.ts';
import { RunWatch } from './run-watch.ts';

/** Without the list of references and the versions, which may be long and are needed only by the process that makes the change. */
const LISTED_COLUMNS = [
  ...(['workspace_id', 'id', 'state', 'request', 'actor', 'created_at', 'ended_at', 'total'] as const),
  ...(['last_client_id', 'step', 'position_at', 'position_id', 'changed', 'unchanged', 'refused', 'undoable'] as const),
  ...(['span', 'refusals', 'reason'] as const),
] satisfies (keyof Tables['bulk_changes'])[];

const COLUMNS = [...LISTED_COLUMNS, 'versions'] as const;

type ListedRow = Pick<Selectable<Tables['bulk_changes']>, (typeof LISTED_COLUMNS)[number]>;
type Row = Pick<Selectable<Tables['bulk_changes']>, (typeof COLUMNS)[number]>;

/** `steadyNow` is a clock that does not jump when the time of day is set. */
export function openBulkChanges(
  { reads, snapshot }: Engine,
  keepBooks: KeepBooks,
  steadyNow: () => number,
): BulkChanges {
  const watch = new RunWatch(steadyNow);
  return {
    find: async (workspaceId, id) => {
      const row = await findRow(reads, workspaceId, id);
      return row && toBulkChange(row);
    },

    latest: (workspaceId, endedMax) =>
      snapshot(async (db) => {
        const own = db.selectFrom('bulk_changes').where('workspace_id', '=', workspaceId).select(LISTED_COLUMNS);
        const open = await own
          .where('state', 'in', openStates('bulk_changes'))
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .execute();
        const ended = await own
          .where('ended_at', 'is not', null)
          .orderBy('ended_at', 'desc')
          .orderBy('id')
          .limit(endedMax)
          .execute();
        return [...open, ...ended].map(toListed);
      }),

    referenceIds: async (workspaceId, id) => {
      const row = await reads
        .selectFrom('bulk_changes')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .select('reference_ids')
        .executeTakeFirst();
      return row?.reference_ids ? JSON.parse(row.reference_ids) : undefined;
    },

    changedIds: async (workspaceId, id) => {
      const parts = await reads
        .selectFrom('bulk_change_parts')
        .where('workspace_id', '=', workspaceId)
        .where('change_id', '=', id)
        .orderBy('step')
        .select('reference_ids')
        .execute();
      return parts.flatMap((part): string[] => JSON.parse(part.reference_ids));
    },

    countOpen: () => countOpenJobs(reads, 'bulk_changes'),

    claim: (runner, now) =>
      keepBooks(async (db) => {
        const claimed = await claimJob(db, 'bulk_changes', { runner, now, what: 'change', watch });
        const row = claimed && (await findRow(db, claimed.workspace_id, claimed.id));
        const change = row && toBulkChange(row);
        if (!change || !isBulkChangeOver(change)) return change;
        await db
          .updateTable('bulk_changes')
          .set({ request: withoutReason(change) })
          .where('workspace_id', '=', change.workspaceId)
          .where('id', '=', change.id)
          .execute();
        await giveBackRest(db, change);
        return undefined;
      }),

    renew: (change, runner, now) =>
      keepBooks(async (db) => {
        const { numUpdatedRows } = await ownRun(db, change, runner)
          .set({ runs_until: now + RUN_LEASE_MS })
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    release: (change, runner) =>
      keepBooks(async (db) => void (await ownRun(db, change, runner).set({ runs_until: 0 }).execute())),

    removeOld: (now) =>
      keepBooks(async (db) => {
        await db
          .deleteFrom('bulk_changes')
          .where('ended_at', '<', now - BULK_CHANGES_KEPT_MS)
          .execute();
      }),
  };
}

/** Bulk changes, under the lock of their workspace. */
export function bulkChangePartsIn(work: ClientUnitOfWork): BulkChangeParts {
  const { db, workspaceId, at } = work;
  const find = async (id: string) => {
    const row = await findRow(db, workspaceId, id);
    return row && toBulkChange(row);
  };
  return {
    enqueue: async (change) => {
      await requireRoom(db, workspaceId);
      if (change.request.undoes) await claimUndo(db, workspaceId, change.request.undoes.id);
      await db.insertInto('bulk_changes').values(newRow(work, change)).execute();
      return (await find(change.id)) as BulkChange;
    },

    cancel: async (id) => {
      const change = await find(id);
      if (!change || isBulkChangeOver(change)) return change;
      work.markChanged();
      await db
        .updateTable('bulk_changes')
        .set({ state: 'cancelled', request: withoutReason(change), ended_at: at, runner: null })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      const cancelled: BulkChange = { ...change, state: 'cancelled', endedAt: at };
      await giveBackRest(db, cancelled);
      return cancelled;
    },

    next: (change, referenceIds, limit) => {
      if (change.request.filter) return nextOfFilter(work, change.request.filter, change, limit);
      return Promise.resolve(nextOfList(referenceIds ?? [], change, limit));
    },

    advance: async (change, runner, progress) => {
      const { changed, unchanged, refused, undoable, position } = progress;
      const advanced = await ownRun(db, change, runner)
        .set((row) => ({
          step: progress.step,
          position_at: position.createdAt,
          position_id: position.id,
          changed: row('changed', '+', changed),
          unchanged: row('unchanged', '+', unchanged),
          refused: row('refused', '+', refused),
          undoable: row('undoable', '+', undoable),
          span: progress.span && JSON.stringify(progress.span),
          refusals: JSON.stringify(mergeRefusals(change.refusals, progress.refusals)),
          versions: JSON.stringify(changed > 0 ? withVersion(change.versions, work.version) : change.versions),
          runs_until: at + RUN_LEASE_MS,
          attempts: 0,
        }))
        // If the answer to a commit was lost, the step may have been made.
        .where('step', '=', progress.step - 1)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (!advanced) throw new BulkChangeEnded();
      await keepChanged(db, change, progress);
      return toBulkChange(advanced);
    },

    end: async (change, runner, state, reason) => {
      const { numUpdatedRows } = await ownRun(db, change, runner)
        .set({ state, request: withoutReason(change), reason: reason ?? null, ended_at: at, runner: null })
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new BulkChangeEnded();
      await giveBackRest(db, { ...change, state });
    },
  };
}

/** Clients that are added after this moment do not belong to the change. */
function newRow({ workspaceId, at, lastIds }: ClientUnitOfWork, change: NewBulkChange) {
  return {
    workspace_id: workspaceId,
    id: change.id,
    state: 'queued',
    request: JSON.stringify(change.request),
    reference_ids: change.referenceIds ? JSON.stringify(change.referenceIds) : null,
    actor: JSON.stringify(change.actor),
    created_at: at,
    started_at: null,
    ended_at: null,
    total: change.total,
    last_client_id: change.lastClientId ?? lastIds.lastClientId,
    step: 0,
    position_at: LIST_START.createdAt,
    position_id: LIST_START.id,
    changed: 0,
    unchanged: 0,
    refused: 0,
    undoable: 0,
    span: null,
    refusals: '[]',
    versions: '[]',
    reason: null,
    runner: null,
    runs_until: 0,
    attempts: 0,
  };
}

/** The reason for the change may name somebody, and is needed no longer. */
function withoutReason({ request: { reason: _, ...request } }: BulkChange): string {
  return JSON.stringify(request);
}

async function keepChanged(db: Books, { workspaceId, id }: BulkChange, progress: BulkProgress): Promise<void> {
  const { step, changedIds } = progress;
  if (changedIds.length === 0) return;
  await db
    .insertInto('bulk_change_parts')
    .values({ workspace_id: workspaceId, change_id: id, step, reference_ids: JSON.stringify(changedIds) })
    .execute();
}

function nextOfList(referenceIds: readonly string[], { position }: BulkChange, limit: number): NextClients {
  const next = referenceIds.slice(position.id, position.id + limit);
  const done = position.id + next.length;
  return {
    referenceIds: next,
    read: next.length,
    span: { first: position, last: { createdAt: 0, id: done } },
    isLast: done >= referenceIds.length,
  };
}

/** Two undos of one bulk change never run at the same time. */
async function claimUndo(db: Books, workspaceId: number, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_changes')
    .set({ undoable: 0 })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('undoable', '>', 0)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Failure('conflict', 'The change is being undone already.');
}

/**
 * What an undo has left can be undone again: all that follows if it was cancelled or has failed, and otherwise the clients that
 * could not be put back, for example because a group was renamed. Those that were erased will never be.
 */
async function giveBackRest(db: Books, undo: BulkChange): Promise<void> {
  const { workspaceId, request, state, total, changed, unchanged, refused, refusals } = undo;
  if (!request.undoes) return;
  const erased = refusals.find(({ reason }) => reason === NOT_FOUND)?.count ?? 0;
  const rest = (state === 'completed' ? refused : Math.max(0, total - changed - unchanged)) - erased;
  await db
    .updateTable('bulk_changes')
    .set({ undoable: rest })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', request.undoes.id)
    .execute();
}

async function requireRoom(db: ReadOnlyDatabase, workspaceId: number): Promise<void> {
  const waiting = await db
    .selectFrom('bulk_changes')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'queued')
    .select('id')
    .execute();
  if (waiting.length < WAITING_BULK_CHANGES_MAX) return;
  const message = `${WAITING_BULK_CHANGES_MAX} changes of many clients are waiting already. Try again when some of them are over.`;
  throw new Failure('rate_limited', message, { retryAfterSeconds: 60 });
}

function findRow(db: ReadOnlyDatabase, workspaceId: number, id: string): Promise<Row | undefined> {
  return db
    .selectFrom('bulk_changes')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(COLUMNS)
    .executeTakeFirst();
}

/** The bulk change, if this run of it still goes on. */
function ownRun(db: Books, { workspaceId, id }: BulkChange, runner: string) {
  return db
    .updateTable('bulk_changes')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('runner', '=', runner);
}

function toBulkChange(row: Row): BulkChange {
  return { ...toListed(row), versions: JSON.parse(row.versions) };
}

function toListed(row: ListedRow): ListedBulkChange {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    state: row.state as ImportState,
    request: JSON.parse(row.request),
    actor: JSON.parse(row.actor),
    createdAt: row.created_at,
    endedAt: row.ended_at,
    total: row.total,
    lastClientId: row.last_client_id,
    step: row.step,
    position: { createdAt: row.position_at, id: row.position_id },
    changed: row.changed,
    unchanged: row.unchanged,
    refused: row.refused,
    undoable: row.undoable,
    span: row.span === null ? null : JSON.parse(row.span),
    refusals: JSON.parse(row.refusals),
    reason: row.reason,
  };
}
