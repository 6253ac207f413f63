import type { Selectable } from 'kysely';
import type { ImportJob } from '../../domain/clients/import-job.ts';
import type { ImportState } from '../../domain/clients/import-state.ts';
import { type StatusChangeCount, StatusChangeCounts } from '../../domain/clients/status-change-counts.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { Books } from '../unit-of-work.ts';

/** How much of a file has been read is stored in millionths. */
export const WHOLE_SHARE = 1_000_000;

export type JobRow = Selectable<Tables['import_jobs']>;

export function findJob(db: ReadOnlyDatabase, workspaceId: number, id: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

export function toJob(row: JobRow): ImportJob {
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
    shareRead: row.share_read === null ? null : row.share_read / WHOLE_SHARE,
    inserted: row.inserted,
    updated: row.updated,
    unchanged: row.unchanged,
    rejected: row.rejected,
    statusChanges: toStatusChanges(row.status_changes),
    reason: row.reason,
  };
}

export function toStatusChanges(text: JobRow['status_changes']): StatusChangeCount[] {
  return text === null ? [] : JSON.parse(text);
}

export function statusChangesText(before: readonly StatusChangeCount[], more: readonly StatusChangeCount[]): string {
  const counts = new StatusChangeCounts();
  counts.addAll([...before, ...more]);
  return JSON.stringify(counts.list());
}

/** The import, if this run of it still goes on. */
export function ownRun(db: Books, { workspaceId, id }: ImportJob, runner: string) {
  return db
    .updateTable('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('runner', '=', runner);
}
