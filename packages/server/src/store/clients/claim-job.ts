import { sql } from 'kysely';
import { ATTEMPTS_MAX, type OpenJobs, RUN_LEASE_MS } from '../../domain/clients/job-runner.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import { lockWorkspace } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { Books } from '../unit-of-work.ts';
import type { RunWatch } from './run-watch.ts';

/** The tables of jobs that the service runs in the background. */
type JobTable = Extract<keyof Tables, 'import_jobs' | 'bulk_changes'>;

/** As in the conditions of `open_import_jobs` and `open_bulk_changes`. An upload has a row before it is a job. */
const OPEN_STATES = {
  import_jobs: ['storing', 'queued', 'running'],
  bulk_changes: ['queued', 'running'],
} as const satisfies Record<JobTable, readonly string[]>;

/** Not as parameters: SQLite uses the index of the jobs that are not over only if it knows that the condition is the same. */
export function openStates(table: JobTable) {
  return OPEN_STATES[table].map((state) => sql.lit(state));
}

/** How many jobs wait and run in all workspaces. A job whose process is gone counts as running until another one goes on with it. */
export async function countOpenJobs(db: ReadOnlyDatabase, table: JobTable): Promise<OpenJobs> {
  const rows = await db
    .selectFrom(table)
    .where('state', 'in', openStates(table))
    .groupBy('state')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .execute();
  const countOf = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  return { waiting: countOf('queued'), running: countOf('running') };
}

/** What identifies a job. */
export interface JobKey {
  workspace_id: number;
  id: string;
}

/**
 * The workspace that has waited for longest comes first, and its oldest job. One that was begun too often is not run but given
 * up: it is over then, and the caller has to remove what an end removes. `what` is the job in words, such as `import`.
 */
export async function claimJob(
  db: Books,
  table: JobTable,
  { runner, now, what, watch }: { runner: string; now: number; what: string; watch: RunWatch },
): Promise<JobKey | undefined> {
  const open = await db
    .selectFrom(table)
    .where('state', 'in', openStates(table))
    .where('state', '!=', 'storing')
    .orderBy('workspace_id')
    .orderBy('created_at')
    .select(['workspace_id', 'id', 'state', 'created_at', 'runs_until'])
    .execute();
  watch.look(
    open.filter(({ state }) => state === 'running'),
    now,
  );
  const byWorkspace = Map.groupBy(open, (row) => row.workspace_id);
  const waiting = [...byWorkspace.values()]
    .filter((rows) => !rows.some((row) => row.state === 'running' && watch.isGoingOn(row, now)))
    .flatMap((rows) => rows.find(({ state }) => state === 'running') ?? rows[0] ?? []);
  const next = await longestWaiting(db, table, waiting);
  if (!next) return undefined;
  // Under the lock, because another process may have claimed a job of the same workspace meanwhile.
  await lockWorkspace(db, next.workspace_id);
  const runs = await db
    .selectFrom(table)
    .where('workspace_id', '=', next.workspace_id)
    .where('state', '=', 'running')
    .select(['workspace_id', 'id', 'runs_until'])
    .execute();
  const isTaken = runs.some((run) => watch.isGoingOn(run, now));
  return isTaken ? undefined : start(db, table, { ...next, runner, now, what });
}

/** The one whose workspace had no turn for longest, and then the oldest one. */
async function longestWaiting<Row extends { workspace_id: number; created_at: number }>(
  db: ReadOnlyDatabase,
  table: JobTable,
  waiting: readonly Row[],
): Promise<Row | undefined> {
  if (waiting.length <= 1) return waiting[0];
  const turns = await db
    .selectFrom(table)
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
  db: Books,
  table: JobTable,
  { workspace_id, id, runner, now, what }: JobKey & { runner: string; now: number; what: string },
): Promise<JobKey | undefined> {
  const row = await db
    .selectFrom(table)
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .select(['started_at', 'attempts'])
    .executeTakeFirst();
  if (!row) return undefined;
  const begun = {
    runner,
    runs_until: now + RUN_LEASE_MS,
    started_at: row.started_at ?? now,
    attempts: row.attempts + 1,
  };
  const reason = `The ${what} was interrupted too often at the same place.`;
  const isHopeless = begun.attempts > ATTEMPTS_MAX;
  const started = isHopeless
    ? { ...begun, state: 'failed', reason, ended_at: now, runner: null }
    : { ...begun, state: 'running' };
  await db.updateTable(table).set(started).where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
  return { workspace_id, id };
}
