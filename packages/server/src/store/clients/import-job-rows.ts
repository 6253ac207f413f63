import type { Selectable } from 'kysely';
import { type CountedRows, NO_ROWS, withRows } from '../../domain/clients/counted-rows.ts';
import {
  type GroupChangeSummary,
  NO_GROUP_CHANGES,
  withGroupChanges,
} from '../../domain/clients/group-change-counts.ts';
import type { ImportSummary } from '../../domain/clients/import-clients.ts';
import type { ImportJob } from '../../domain/clients/import-job.ts';
import type { ImportState } from '../../domain/clients/import-state.ts';
import { StatusChangeCounts } from '../../domain/clients/status-change-counts.ts';
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
    ...toEffects(row),
    reason: row.reason,
  };
}

/** What an import does beside its numbers, as JSON; null if it does nothing of the kind. */
export const EFFECT_COLUMNS = [
  'status_changes',
  'group_changes',
  'email_changes',
  'emails_elsewhere',
  'repeats',
] as const;

type EffectColumns = Pick<JobRow, (typeof EFFECT_COLUMNS)[number]>;
type Effects = Pick<ImportSummary, 'statusChanges' | 'groupChanges' | 'emailChanges' | 'emailsElsewhere' | 'repeats'>;

/** Of an import that has not begun. */
export const NO_EFFECTS: EffectColumns = {
  status_changes: null,
  group_changes: null,
  email_changes: null,
  emails_elsewhere: null,
  repeats: null,
};

export function toEffects(row: EffectColumns): Effects {
  const groupChanges: GroupChangeSummary =
    row.group_changes === null ? NO_GROUP_CHANGES : JSON.parse(row.group_changes);
  return {
    statusChanges: row.status_changes === null ? [] : JSON.parse(row.status_changes).map(withLines),
    groupChanges: { ...groupChanges, moves: groupChanges.moves.map(withLines) },
    emailChanges: toCountedRows(row.email_changes),
    emailsElsewhere: toCountedRows(row.emails_elsewhere),
    repeats: toCountedRows(row.repeats),
  };
}

function toCountedRows(stored: string | null): CountedRows {
  return stored === null ? NO_ROWS : JSON.parse(stored);
}

/** An earlier version has stored none. */
function withLines<Counted extends { lines: readonly number[] }>(stored: Counted): Counted {
  return { ...stored, lines: stored.lines ?? [] };
}

/** The columns that differ when more rows have been imported. There are none if these had no such effect. */
export function changedEffects(before: Effects, more: Effects): Partial<EffectColumns> {
  const { moves, newGroups } = more.groupChanges;
  const counts = new StatusChangeCounts();
  counts.addAll([...before.statusChanges, ...more.statusChanges]);
  return {
    ...(more.statusChanges.length > 0 && { status_changes: JSON.stringify(counts.list()) }),
    ...(moves.length + newGroups.length > 0 && {
      group_changes: JSON.stringify(withGroupChanges(before.groupChanges, more.groupChanges)),
    }),
    ...(more.emailChanges.rows > 0 && {
      email_changes: JSON.stringify(withRows(before.emailChanges, more.emailChanges)),
    }),
    ...(more.emailsElsewhere.rows > 0 && {
      emails_elsewhere: JSON.stringify(withRows(before.emailsElsewhere, more.emailsElsewhere)),
    }),
    ...(more.repeats.rows > 0 && { repeats: JSON.stringify(withRows(before.repeats, more.repeats)) }),
  };
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
