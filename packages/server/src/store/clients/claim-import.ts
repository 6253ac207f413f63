import { ATTEMPTS_MAX, type ImportJob, isOver, RUN_LEASE_MS } from '../../domain/clients/import-job.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import { lockWorkspace } from '../locks.ts';
import type { Books } from '../unit-of-work.ts';
import { findJob, type JobRow, toJob } from './import-job-rows.ts';

/** The workspace that has waited for longest comes first, and its oldest import. */
export async function claimJob(db: Books, runner: string, now: number): Promise<ImportJob | undefined> {
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

async function start(db: Books, row: JobRow, runner: string, now: number): Promise<ImportJob | undefined> {
  const begun = {
    runner,
    runs_until: now + RUN_LEASE_MS,
    started_at: row.started_at ?? now,
    attempts: row.attempts + 1,
  };
  const failed = { state: 'failed', reason: 'The import was interrupted too often at the same place.', ended_at: now };
  const isHopeless = begun.attempts > ATTEMPTS_MAX;
  const started = isHopeless ? { ...begun, ...failed, runner: null } : { ...begun, state: 'running' };
  await db
    .updateTable('import_jobs')
    .set(started)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  return isHopeless ? undefined : toJob({ ...row, ...started });
}
