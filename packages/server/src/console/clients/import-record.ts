import { toCountedRowsRecord } from '../../domain/clients/counted-rows.ts';
import { toGroupChangesRecord } from '../../domain/clients/group-change-counts.ts';
import type { ImportSummary } from '../../domain/clients/import-clients.ts';
import type { ImportJob } from '../../domain/clients/import-job.ts';
import { paceOf } from '../../domain/clients/import-pace.ts';
import { toStatusChangeRecord } from '../../domain/clients/status-change-counts.ts';
import type { Clock } from '../../domain/clock.ts';
import { type KeyNames, namesOfActingKeys } from '../../domain/credentials/index.ts';
import type { ImportEffects, ImportRecord } from '../contract/clients/imports.ts';
import { timeText } from '../time.ts';

export interface ImportRecordDeps {
  keys: KeyNames;
  clock: Clock;
}

export async function toImportRecord(deps: ImportRecordDeps, job: ImportJob): Promise<ImportRecord> {
  const names = await namesOfActingKeys(deps.keys, job.workspaceId, [job.actor.name]);
  return toRecord(job, names, deps.clock.now());
}

/** Of one workspace. */
export async function toImportRecords(
  deps: ImportRecordDeps,
  workspaceId: number,
  jobs: readonly ImportJob[],
): Promise<ImportRecord[]> {
  const starters = jobs.map(({ actor }) => actor.name);
  const names = await namesOfActingKeys(deps.keys, workspaceId, starters);
  const now = deps.clock.now();
  return jobs.map((job) => toRecord(job, names, now));
}

function toRecord(job: ImportJob, keyNames: ReadonlyMap<string, string>, now: number): ImportRecord {
  const { rowsPerSecond, secondsLeft } = paceOf(job, now);
  return {
    import_id: job.id,
    file_name: job.request.name,
    state: job.state,
    dry_run: job.request.dryRun,
    keep_status: job.request.keepsStatus ?? false,
    started_by: job.actor.name,
    by_key: keyNames.get(job.actor.name) ?? null,
    created_at: timeText(job.createdAt),
    started_at: job.startedAt === null ? null : timeText(job.startedAt),
    ended_at: job.endedAt === null ? null : timeText(job.endedAt),
    rows_read: job.rowsRead,
    rows_per_second: rowsPerSecond,
    percent_read: job.shareRead === null ? null : Math.floor(100 * job.shareRead),
    seconds_left: secondsLeft,
    inserted: job.inserted,
    updated: job.updated,
    unchanged: job.unchanged,
    rejected: job.rejected,
    ...toEffectsRecord(job),
    reason: job.reason,
  };
}

type Effects = Pick<ImportSummary, 'statusChanges' | 'groupChanges' | 'emailChanges' | 'emailsElsewhere' | 'repeats'>;

export function toEffectsRecord(job: Effects): ImportEffects {
  return {
    status_changes: job.statusChanges.map(toStatusChangeRecord),
    group_changes: toGroupChangesRecord(job.groupChanges),
    email_changes: toCountedRowsRecord(job.emailChanges),
    emails_elsewhere: toCountedRowsRecord(job.emailsElsewhere),
    repeats: toCountedRowsRecord(job.repeats),
  };
}
