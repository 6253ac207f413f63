import { type Actor, type ChangeInstallation, type RecordDeps, record } from '../change.ts';
import { UNDONE } from '../clients/index.ts';
import { namesOfActingKeys } from '../credentials/index.ts';
import { ENVIRONMENTS } from '../environment.ts';
import { formatTime } from '../time.ts';
import type { ActivityFilter, ExportedEntry } from './activity.ts';
import { type ActivityRecord, type CutRecord, exportActivity, RECORD_FIELDS, toRecord } from './activity-record.ts';
import type { ActingMember } from './member.ts';
import { findSubjects, onlyClientOf, type ReadActivityDeps } from './read-activity.ts';
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
  { accountId, format }: { accountId?: number | undefined; format: Format },
): Promise<{ records: AsyncIterable<ActivityRecord | CutRecord>; close(): Promise<void> }> {
  const { chains, close } = await deps.activityChains.open();
  try {
    // A snapshot may begin with its first read.
    const ends = await chains.ends(accountId);
    await recordExport(deps, actor, accountId, formatText(format));
    return { records: exportActivity(chains, ends), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Format = 'csv' | 'ndjson';

type ExportFilter = Omit<ActivityFilter, 'about' | 'called' | 'whole'>;

/** What is exported of an entry that the page shows. */
export const SHOWN_FIELDS = [...RECORD_FIELDS, 'api_key_name', 'client_name', 'reason'] as const;
export type ShownRecord = Record<(typeof SHOWN_FIELDS)[number], string | number | null>;

/**
 * The entries that the page shows with these filters, newest first, which the caller must return. That they were exported is
 * recorded after the first ones were read.
 */
export async function openFilteredExport(
  deps: ReadActivityDeps & RecordDeps,
  actor: ActingMember,
  filter: ExportFilter,
  signal: AbortSignal,
): Promise<AsyncGenerator<ShownRecord, void>> {
  const { accountId, memberId } = actor;
  // Only this is like a search: the entries are read as slowly as the file is taken, which must not keep others from searching.
  const { about, called } = await deps.searchQueue.run(memberId, signal, () =>
    findSubjects(deps, { accountId, memberId, signal }, filter.search),
  );
  const batches = deps.activity.readAll(accountId, { ...filter, about, called }, signal);
  // Read before the answer begins, so that a failure becomes a refusal instead of a file that breaks off.
  const first = await batches.next();
  await record(deps, actor, 'account.activity-exported', filterText(filter));
  return recordsOf(deps, accountId, first, batches);
}

async function* recordsOf(
  deps: ReadActivityDeps,
  accountId: number,
  first: IteratorResult<ExportedEntry[], void>,
  rest: AsyncGenerator<ExportedEntry[], void>,
): AsyncGenerator<ShownRecord, void> {
  if (first.value) yield* await shownRecords(deps, accountId, first.value);
  for await (const batch of rest) yield* await shownRecords(deps, accountId, batch);
}

/** With the names that API keys and clients have now, and none for clients that were erased. */
async function shownRecords(
  { activity, accounts, keys }: ReadActivityDeps,
  accountId: number,
  exported: readonly ExportedEntry[],
): Promise<ShownRecord[]> {
  const clientOf = ({ entry, references }: ExportedEntry) => onlyClientOf({ ...entry, references });
  const names = new Map<
    string | null,
    { ofKeys: ReadonlyMap<string, string>; ofClients: ReadonlyMap<string, string> }
  >();
  for (const environment of ENVIRONMENTS) {
    const own = exported.filter(({ entry }) => entry.environment === environment);
    if (own.length === 0) continue;
    const workspaceId = await accounts.workspaceId(accountId, environment);
    const referenceIds = own.flatMap((each) => clientOf(each) ?? []);
    const members = own.map(({ entry }) => entry.member);
    names.set(environment, {
      ofKeys: await namesOfActingKeys(keys, workspaceId, members),
      ofClients: (await activity.subjects(workspaceId, { referenceIds, importIds: [], previews: [] })).names,
    });
  }
  return exported.map((each) => {
    const { ofKeys, ofClients } = names.get(each.entry.environment) ?? {};
    return {
      ...toRecord(each.chain, each.entry),
      api_key_name: ofKeys?.get(each.entry.member) ?? null,
      client_name: ofClients?.get(clientOf(each) ?? '') ?? null,
      reason: each.entry.subject === UNDONE ? null : each.reason,
    };
  });
}

/** What was asked for, without what may be personal data. */
function filterText({ kind, member, search, from, until }: ExportFilter): string {
  const texts = [
    formatText('csv'),
    kind && `kind ${kind}`,
    member !== undefined && 'member',
    search !== undefined && 'text',
    from !== undefined && `times from ${formatTime(from)}`,
    until !== undefined && `times before ${formatTime(until)}`,
  ];
  return texts.filter((text) => typeof text === 'string').join(', ');
}

function formatText(format: Format): string {
  return `as ${format.toUpperCase()}`;
}

async function recordExport(
  deps: ExportActivityDeps,
  actor: Actor,
  accountId: number | undefined,
  subject: string,
): Promise<void> {
  if (accountId !== undefined) return record(deps, { ...actor, accountId }, 'account.activity-exported', subject);
  await deps.changeInstallation({ actor, at: deps.clock.now() }, async (change) =>
    change.recordInstallation('installation.activity-exported', subject),
  );
}
