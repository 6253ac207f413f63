import { type Actor, type ChangeInstallation, type RecordDeps, record } from '../change.ts';
import { type ActivityRecord, exportActivity } from './activity-record.ts';
import type { ActingMember } from './member.ts';
import type { ActivityChains } from './verify-activity.ts';

export interface ExportActivityDeps extends RecordDeps {
  activityChains: ActivityChains;
  changeInstallation: ChangeInstallation<object>;
}

/** The log of the member's account, from one snapshot, which the caller must close. That it was exported is on record. */
export async function exportActivityOf(
  deps: ExportActivityDeps,
  actor: ActingMember,
): Promise<{ records: AsyncIterable<ActivityRecord>; close(): Promise<void> }> {
  const { chains, close } = await deps.activityChains.open();
  try {
    const ends = await chains.ends(actor.accountId);
    await recordActivityExport(deps, actor, actor.accountId);
    return { records: exportActivity(chains, ends), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In the log of the account, or in that of the installation if it was that of all accounts. */
export async function recordActivityExport(
  deps: Omit<ExportActivityDeps, 'activityChains'>,
  actor: Actor,
  accountId: number | undefined,
): Promise<void> {
  if (accountId !== undefined) return record(deps, { ...actor, accountId }, 'account.activity-exported', '');
  await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) =>
    change.recordInstallation('installation.activity-exported', ''),
  );
}
