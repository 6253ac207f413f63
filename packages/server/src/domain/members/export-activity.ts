import { type Actor, type ChangeInstallation, type RecordDeps, record } from '../change.ts';
import { type ActivityRecord, type CutRecord, exportActivity } from './activity-record.ts';
import type { ActivityChains } from './verify-activity.ts';

export interface ExportActivityDeps extends RecordDeps {
  activityChains: ActivityChains;
  changeInstallation: ChangeInstallation<object>;
}

/**
 * The log of an account, or of all of them, from one snapshot, which the caller must close. That it was exported is recorded
 * in that log, after the snapshot, so that the export is not part of itself.
 */
export async function openActivityExport(
  deps: ExportActivityDeps,
  actor: Actor,
  accountId?: number,
): Promise<{ records: AsyncIterable<ActivityRecord | CutRecord>; close(): Promise<void> }> {
  const { chains, close } = await deps.activityChains.open();
  try {
    // A snapshot may begin with its first read.
    const ends = await chains.ends(accountId);
    await recordExport(deps, actor, accountId);
    return { records: exportActivity(chains, ends), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function recordExport(deps: ExportActivityDeps, actor: Actor, accountId: number | undefined): Promise<void> {
  if (accountId !== undefined) return record(deps, { ...actor, accountId }, 'account.activity-exported', '');
  await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) =>
    change.recordInstallation('installation.activity-exported', ''),
  );
}
