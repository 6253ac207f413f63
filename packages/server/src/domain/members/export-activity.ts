import { type Actor, type ChangeInstallation, type RecordDeps, record } from '../change.ts';
import { formatTime } from '../time.ts';
import type { ActivityFilter } from './activity.ts';
import { type ActivityRecord, type CutRecord, exportActivity, toRecord } from './activity-record.ts';
import type { StoredEntry } from './chain-check.ts';
import type { ActingMember } from './member.ts';
import { findClients, type ReadActivityDeps } from './read-activity.ts';
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

type ExportFilter = Omit<ActivityFilter, 'about' | 'whole'>;

/**
 * The entries that the page shows with these filters, newest first, which the caller must return. That they were exported is
 * recorded after the first ones were read.
 */
export async function openFilteredExport(
  deps: ReadActivityDeps & RecordDeps,
  actor: ActingMember,
  filter: ExportFilter,
  signal: AbortSignal,
): Promise<AsyncGenerator<ActivityRecord, void>> {
  const { accountId, memberId } = actor;
  // Only this is like a search: the entries are read as slowly as the file is taken, which must not keep others from searching.
  const { about } = await deps.searchQueue.run(memberId, signal, () =>
    findClients(deps, accountId, filter.search, signal),
  );
  const batches = deps.activity.readAll(accountId, { ...filter, about }, signal);
  // Read before the answer begins, so that a failure becomes a refusal instead of a file that breaks off.
  const first = await batches.next();
  await record(deps, actor, 'account.activity-exported', filterText(filter));
  return recordsOf(first, batches);
}

async function* recordsOf(
  first: IteratorResult<{ chain: string; entry: StoredEntry }[], void>,
  rest: AsyncGenerator<{ chain: string; entry: StoredEntry }[], void>,
): AsyncGenerator<ActivityRecord, void> {
  for (const { chain, entry } of first.value ?? []) yield toRecord(chain, entry);
  for await (const batch of rest) {
    for (const { chain, entry } of batch) yield toRecord(chain, entry);
  }
}

/** What was asked for, without what may be personal data. Empty for everything. */
function filterText({ kind, member, search, from, until }: ExportFilter): string {
  const texts = [
    kind && `kind ${kind}`,
    member !== undefined && 'member',
    search !== undefined && 'text',
    from !== undefined && `times from ${formatTime(from)}`,
    until !== undefined && `times before ${formatTime(until)}`,
  ];
  return texts.filter((text) => typeof text === 'string').join(', ');
}

async function recordExport(deps: ExportActivityDeps, actor: Actor, accountId: number | undefined): Promise<void> {
  if (accountId !== undefined) return record(deps, { ...actor, accountId }, 'account.activity-exported', '');
  await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) =>
    change.recordInstallation('installation.activity-exported', ''),
  );
}
