import { type RecordDeps, record } from '../change.ts';
import { type ActivityRecord, exportActivity } from './activity-record.ts';
import type { ActingMember } from './member.ts';
import type { ActivityChains } from './verify-activity.ts';

export interface ExportActivityDeps extends RecordDeps {
  activityChains: ActivityChains;
}

/** The log of the member's account, from one snapshot, which the caller must close. That it was exported is on record. */
export async function exportActivityOf(
  deps: ExportActivityDeps,
  actor: ActingMember,
): Promise<{ records: AsyncIterable<ActivityRecord>; close(): Promise<void> }> {
  const { chains, close } = await deps.activityChains.open();
  try {
    const ends = await chains.ends(actor.accountId);
    await record(deps, actor, 'account.activity-exported', '');
    return { records: exportActivity(chains, ends), close };
  } catch (error) {
    await close();
    throw error;
  }
}
