import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Action } from '../../domain/action.ts';
import { GroupChangeCounts, NO_GROUP_CHANGES, newGroupsIn } from '../../domain/clients/index.ts';
import type { Environment } from '../../domain/environment.ts';
import {
  ACTORS_MAX,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityLog,
  type ClientsIn,
  comparesEntries,
  type ExportedEntry,
  type FoundActivity,
  SEARCHED_ENTRIES_MAX,
} from '../../domain/members/activity.ts';
import type { Chain } from '../../domain/members/activity-chain.ts';
import { wholeAddress } from '../../domain/network-address.ts';
import { AdaptiveSliceSize, SlicePauses } from '../adaptive-slice-size.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { toStored } from './activity-chains.ts';
import type { StoredDetails } from './activity-entries.ts';
import { containsText } from './contains-text.ts';

type Row = Selectable<Tables['activity_entries']>;
type Entries = SelectQueryBuilder<Tables & { entry: Tables['activity_entries'] }, 'entry', unknown>;
type Position = Pick<Row, 'at' | 'id'>;

/** Of positions, from one to another, which is exclusive. */
interface Range {
  from?: Position | undefined;
  before?: Position | undefined;
}

interface Window {
  offset: number;
  limit: number;
}

const COLUMNS = [
  ...(['number', 'at', 'member', 'action', 'subject', 'environment', 'address', 'request_id', 'details'] as const),
] as const;

/** The parts of an import are shown as one entry. */
const CLIENTS_OF_ALL_PARTS = sql<number | null>`case when entry.part_of is null then entry.clients else
  (select sum(part.clients) from activity_entries part
    where part.account_id = entry.account_id and part.part_of = entry.part_of) end`;

/** What the parts of an import say about the groups that they have made, one part on each line. */
const partsWithGroups = (says: RawBuilder<string>) => sql<string | null>`case when entry.action = 'client.imported' then
  (select string_agg(${says}, ${sql.lit('\n')} order by part.number) from activity_entries part
    where part.account_id = entry.account_id and part.part_of = entry.part_of and part.details like '%"new_groups":%') end`;

const SEARCHED = ['subject', 'member', 'address'].map((column) => sql.ref<string>(column));

/** The address of the machine itself has several forms, which the dashboard calls the same: whoever searches for one means all of them. */
const FROM_THIS_MACHINE = sql<boolean>`(address = '::1' or address like '127.%' or address like '::ffff:127.%')`;

function meansThisMachine(search: string): boolean {
  return /^(this machine|localhost|::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(search);
}

/** Why clients were changed. If they were several, only their histories say so, and all of them the same. */
function reasonIn({ jsonText, jsonTexts, lookUp }: Engine): RawBuilder<string> {
  const own = sql`w.account_id = entry.account_id and w.environment = entry.environment`;
  return sql`case when entry.clients is null then ${jsonText(sql`entry.details`, 'reason')} else (
    select e.reason from ${jsonTexts(sql`entry.details`, 'clients', 'reference_id')} as listed
    ${lookUp('workspaces', 'w', own)}
    ${lookUp('clients', 'c', sql`c.workspace_id = w.id and c.reference_id = listed.reference_id`)}
    ${lookUp('client_events', 'e', sql`e.workspace_id = w.id and e.client_id = c.id`)}
    where e.at = entry.at and e.actor = entry.member limit 1) end`;
}

/** The names of the groups that an import has made. */
function groupNamesIn({ jsonTexts }: Engine): RawBuilder<string> {
  const listed = jsonTexts(sql`part.details`, 'new_groups', 'name');
  const names = partsWithGroups(sql`(select string_agg(listed.name, ${sql.lit('\n')}) from ${listed} as listed)`);
  return sql`coalesce(${names}, '')`;
}

/** Which request status a client was given. If they were several, it is the subject. */
function statusIn({ jsonText }: Engine): RawBuilder<string> {
  const given = jsonText(jsonText(sql`entry.details`, 'to'), 'request_status');
  return sql`case when entry.clients is null then ${given} end`;
}

/** What an API key was called before, as the entry about its new name shows it. */
function formerKeyNameIn({ jsonText }: Engine): RawBuilder<string> {
  const former = jsonText(jsonText(sql`entry.details`, 'from'), 'name');
  return sql`case when entry.action = 'key.updated' then ${former} end`;
}

export function openActivity(engine: Engine): ActivityLog {
  return {
    read: (accountId, filter, window, signal) =>
      comparesEntries(filter)
        ? readInSlices(engine, { accountId, filter, window }, signal)
        : engine.snapshot(async (db) => ({
            ...(await readPart(entriesIn(db, accountId, filter, rangeOf(filter)), window)),
            searchedBackTo: null,
          })),

    readAll: (accountId, filter, signal) => readAllInSlices(engine, accountId, filter, signal),

    listedIn: async (workspaceId, number) => {
      const entry = await engine.reads
        .selectFrom('activity_entries')
        .where('chain', '=', chainOf(workspaceId))
        .where('number', '=', number)
        .select(['at', 'member', 'subject', 'details'])
        .executeTakeFirst();
      if (!entry) return undefined;
      const { details, ...change } = entry;
      const referenceIds = parseDetails(details).clients;
      return referenceIds && { ...change, referenceIds };
    },

    subjects: async (workspaceId, { referenceIds, importIds, previews }) => {
      const clients = await engine.reads
        .selectFrom('clients')
        .where('workspace_id', '=', workspaceId)
        .where('reference_id', 'in', engine.listOf(referenceIds))
        .select(['reference_id', 'name'])
        .execute();
      const secrets = await engine.reads
        .selectFrom('api_key_secrets')
        .where('workspace_id', '=', workspaceId)
        .where('preview', 'in', engine.listOf(previews))
        .select(['preview', 'key_id'])
        .execute();
      return {
        names: new Map(clients.map((client) => [client.reference_id, client.name])),
        imports: await findImports(engine, workspaceId, importIds),
        keyIds: new Map(secrets.map(({ preview, key_id }) => [preview, key_id])),
      };
    },

    called: async (workspaceId, memberId, text) => {
      const named = containsText([sql.ref<string>('name')], text);
      const keys = await engine.reads
        .selectFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where(named)
        .select('id')
        .execute();
      const views = await engine.reads
        .selectFrom('saved_views')
        .where('workspace_id', '=', workspaceId)
        .where(({ eb, or }) => or([eb('member_id', '=', memberId), eb('member_id', 'is', null)]))
        .where(named)
        .select('id')
        .execute();
      return { keyIds: keys.map(({ id }) => id), viewIds: views.map(({ id }) => id) };
    },

    originsOf: async (accountId, { workspaceId, referenceId }, lines) => {
      const times = [...new Set(lines.map(({ at }) => at))];
      const entries = await entriesAt(engine, accountId, workspaceId, times);
      const importIds = entries.flatMap(({ details }) => parseDetails(details).import ?? []);
      const kept = await findImports(engine, workspaceId, importIds);
      return lines.map(({ at, actor }) => {
        const same = entries.filter((entry) => entry.at === at && entry.member === actor);
        const own = same.filter(({ subject }) => subject === referenceId);
        // Two changes within a millisecond, from different places, cannot be told apart.
        const address = onlyOne((own.length > 0 ? own : same).map((entry) => entry.address));
        const imported = own.length > 0 ? undefined : importAmong(same);
        return {
          address: address || null,
          imported: imported
            ? { ...imported, importId: kept.has(imported.importId ?? '') ? imported.importId : null }
            : null,
        };
      });
    },

    actors: async (accountId) => {
      const own = sql`account_id = ${accountId} and continues = 0`;
      // Read as steps through the index, because there are few names and many entries.
      const { rows } = await sql<{ member: string }>`with recursive named (member, place) as (
          select min(member), 1 from activity_entries where ${own}
          union all
          select (select min(member) from activity_entries where ${own} and member > named.member), place + 1
            from named where member is not null and place < ${ACTORS_MAX}
        ) select member from named where member is not null order by member`.execute(engine.reads);
      return rows.map(({ member }) => member);
    },
  };
}

/** The entries of a workspace with these times. Later parts of an import have an index of their own. */
async function entriesAt(engine: Engine, accountId: number, workspaceId: number, times: readonly number[]) {
  if (times.length === 0) return [];
  const found = [0, 1].map((continues) =>
    engine.reads
      .selectFrom('activity_entries')
      .where('account_id', '=', accountId)
      .where('continues', '=', sql.lit(continues))
      .where('at', 'in', engine.listOf(times))
      .where('chain', '=', chainOf(workspaceId))
      .select(['id', 'at', 'part_of', 'member', 'action', 'subject', 'address', 'clients', 'details'])
      .execute(),
  );
  return (await Promise.all(found)).flat();
}

/** The imports that are still kept. */
async function findImports(engine: Engine, workspaceId: number, importIds: readonly string[]) {
  if (importIds.length === 0) return new Map<string, { rejected: number }>();
  const imports = await engine.reads
    .selectFrom('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(importIds))
    .select(['id', 'rejected', 'corrected'])
    .execute();
  return new Map(imports.map(({ id, rejected, corrected }) => [id, { rejected: rejected + corrected }]));
}

/** What was imported, if all entries about several clients among these are about the same import. */
function importAmong(
  entries: readonly Pick<Row, 'action' | 'subject' | 'clients' | 'details'>[],
): { name: string; importId: string | null } | undefined {
  const shared = entries.filter(({ clients }) => clients !== null);
  if (!shared.every(({ action }) => action === 'client.imported')) return undefined;
  const name = onlyOne(shared.map(({ subject }) => subject));
  if (name === undefined) return undefined;
  return { name, importId: onlyOne(shared.map(({ details }) => parseDetails(details).import)) ?? null };
}

/** The value that all of them are. */
function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  const [one, ...others] = new Set(values);
  return others.length === 0 ? one : undefined;
}

/** Entries about several clients. The parts of an import or a merge are found by what they have in common. */
interface SharedEntries {
  ids: string[];
  partsOf: string[];
}

/** So many times are looked up at once, so that others are let in between. */
const TIMES_AT_ONCE = 1000;

/** The entries about several clients, of which these are some. Which clients a long change has changed is only in their histories. */
async function findShared(
  engine: Engine,
  accountId: number,
  { about = [] }: ActivityFilter,
  signal: AbortSignal | undefined,
): Promise<SharedEntries> {
  const pauses = new SlicePauses();
  const shared: SharedEntries = { ids: [], partsOf: [] };
  for (const { workspaceId, lines } of about) {
    const byTime = Map.groupBy(lines, ({ at }) => at);
    const times = [...byTime.keys()];
    for (let start = 0; start < times.length; start += TIMES_AT_ONCE) {
      signal?.throwIfAborted();
      const entries = await entriesAt(engine, accountId, workspaceId, times.slice(start, start + TIMES_AT_ONCE));
      for (const entry of entries) {
        if (!(byTime.get(entry.at) ?? []).some((line) => isShared(entry, line))) continue;
        if (entry.part_of === null) shared.ids.push(entry.id);
        else shared.partsOf.push(entry.part_of);
      }
      await pauses.afterSlice();
    }
  }
  return shared;
}

type SharedEntry = Pick<Row, 'member' | 'clients' | 'details'>;

function isShared({ member, clients, details }: SharedEntry, line: ClientsIn['lines'][number]): boolean {
  if (clients === null || member !== line.actor) return false;
  const { clients: listed } = parseDetails(details);
  return listed === undefined || listed.length < clients || listed.includes(line.referenceId);
}

/** Without a snapshot, because entries are only added, and nearly all that are new come before the first slice. */
async function readInSlices(
  engine: Engine,
  { accountId, filter, window }: { accountId: number; filter: ActivityFilter; window: Window },
  signal: AbortSignal | undefined,
): Promise<FoundActivity> {
  const shared = await findShared(engine, accountId, filter, signal);
  const size = new AdaptiveSliceSize(engine.sliceMs);
  const pauses = new SlicePauses();
  const found: FoundActivity = { totalCount: 0, entries: [], searchedBackTo: null };
  const left = rangeOf(filter);
  let mayCompare = filter.search === undefined || filter.whole ? Number.POSITIVE_INFINITY : SEARCHED_ENTRIES_MAX;
  for (;;) {
    signal?.throwIfAborted();
    const { part, end } = await size.measure(async (most) => {
      const rows = Math.min(most, mayCompare);
      mayCompare -= rows;
      const end = await endOfSlice(entriesIn(engine.reads, accountId, filter, left), rows);
      const slice = entriesIn(engine.reads, accountId, filter, { ...left, ...(end && { from: end }) });
      const offset = Math.max(0, window.offset - found.totalCount);
      return {
        part: await readPart(matching(engine, slice, filter, shared), {
          offset,
          limit: window.limit - found.entries.length,
        }),
        end,
      };
    });
    found.totalCount += part.totalCount;
    found.entries.push(...part.entries);
    if (!end) return found;
    left.before = end;
    if (mayCompare === 0) {
      const older = await endOfSlice(entriesIn(engine.reads, accountId, filter, left), 1);
      return { ...found, searchedBackTo: older ? end.at : null };
    }
    await pauses.afterSlice();
  }
}

/** Nothing is held between the slices, so that whoever passes them on may take any time. */
async function* readAllInSlices(
  engine: Engine,
  accountId: number,
  filter: ActivityFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportedEntry[], void> {
  const shared = await findShared(engine, accountId, filter, signal);
  const size = new AdaptiveSliceSize(engine.sliceMs);
  const pauses = new SlicePauses();
  const left = rangeOf(filter);
  for (;;) {
    signal?.throwIfAborted();
    const { rows, end } = await size.measure(async (most) => {
      const last = await endOfSlice(entriesIn(engine.reads, accountId, filter, left), most);
      const slice = entriesIn(engine.reads, accountId, filter, { ...left, ...(last && { from: last }) });
      const found = newestFirst(matching(engine, slice, filter, shared));
      const shown = [
        CLIENTS_OF_ALL_PARTS.as('of_all_parts'),
        sql<string | null>`${reasonIn(engine)}`.as('reason'),
      ] as const;
      return { rows: await found.selectAll('entry').select(shown).execute(), end: last };
    });
    yield rows.map(({ of_all_parts: clients, reason, ...row }) => ({
      chain: row.chain,
      entry: toStored({ ...row, clients }),
      references: parseDetails(row.details).clients ?? null,
      reason,
    }));
    if (!end) return;
    left.before = end;
    await pauses.afterSlice();
  }
}

/** The last position of a slice with this number of entries, or `undefined` if fewer are left. */
function endOfSlice(entries: Entries, rows: number): Promise<Position | undefined> {
  return newestFirst(entries)
    .select(['at', 'id'])
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst();
}

/** The times as positions: with other conditions on the time, SQLite would read all entries between them for every slice. */
function rangeOf({ from, until }: ActivityFilter): Range {
  return {
    from: from === undefined ? undefined : { at: from, id: '' },
    before: until === undefined ? undefined : { at: until, id: '' },
  };
}

function entriesIn(
  db: ReadOnlyDatabase,
  accountId: number,
  { member }: ActivityFilter,
  { from, before }: Range,
): Entries {
  let entries: Entries = db
    .selectFrom('activity_entries as entry')
    .where('account_id', '=', accountId)
    .where('continues', '=', sql.lit(0));
  if (member !== undefined) entries = entries.where('member', '=', member);
  if (from) entries = entries.where(sql<boolean>`(at, id) >= (${from.at}, ${from.id})`);
  if (before) entries = entries.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`);
  return entries;
}

/** By the filters for which entries have to be compared. */
function matching(engine: Engine, entries: Entries, filter: ActivityFilter, shared: SharedEntries): Entries {
  const { kind, search } = filter;
  let found = entries;
  if (kind !== undefined) found = found.where('action', 'like', `${kind}.%`);
  if (search === undefined) return found;
  const address = wholeAddress(search);
  return address === undefined
    ? havingText(engine, found, { ...filter, search }, shared)
    : found.where(meansThisMachine(address) ? FROM_THIS_MACHINE : sql<boolean>`address = ${address}`);
}

function havingText(
  engine: Engine,
  entries: Entries,
  { search, about = [], called = { keyIds: [], viewIds: [] } }: ActivityFilter & { search: string },
  { ids, partsOf }: SharedEntries,
): Entries {
  const clients = about.filter(({ referenceIds }) => referenceIds.length > 0);
  const { keyIds, viewIds } = called;
  const shown = [...SEARCHED, statusIn(engine), reasonIn(engine), groupNamesIn(engine), formerKeyNameIn(engine)];
  return entries.where(({ eb, or, and }) =>
    or([
      ...(meansThisMachine(search) ? [FROM_THIS_MACHINE] : []),
      containsText(shown, search),
      ...clients.map(({ workspaceId, referenceIds }) =>
        and([eb('chain', '=', chainOf(workspaceId)), eb('subject', 'in', engine.listOf(referenceIds))]),
      ),
      ...(ids.length > 0 ? [eb('id', 'in', engine.listOf(ids))] : []),
      ...(partsOf.length > 0 ? [eb('part_of', 'in', engine.listOf(partsOf))] : []),
      ...(keyIds.length > 0 ? [eb('member', 'in', engine.listOf(keyIds))] : []),
      ...(viewIds.length > 0
        ? [and([eb('action', 'like', 'view.%'), eb('subject', 'in', engine.listOf(viewIds))])]
        : []),
    ]),
  );
}

function chainOf(workspaceId: number): Chain {
  return `workspace:${workspaceId}`;
}

type Part = Omit<FoundActivity, 'searchedBackTo'>;

async function readPart(entries: Entries, { offset, limit }: Window): Promise<Part> {
  const { total } = await entries.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  if (limit === 0 || offset >= total) return { totalCount: total, entries: [] };
  const rows = await newestFirst(entries)
    .select(COLUMNS)
    .select([CLIENTS_OF_ALL_PARTS.as('clients'), partsWithGroups(sql`part.details`).as('with_groups')])
    .limit(limit)
    .offset(offset)
    .execute();
  return { totalCount: total, entries: rows.map(toEntry) };
}

function newestFirst(entries: Entries): Entries {
  return entries.orderBy('at', 'desc').orderBy('id', 'desc');
}

type EntryRow = Pick<Row, (typeof COLUMNS)[number] | 'clients'> & { with_groups: string | null };

function toEntry({ request_id, with_groups: withGroups, ...row }: EntryRow): ActivityEntry {
  const { details, ...columns } = row;
  const { clients: references = null, import: importId = null, ...values } = parseDetails(details);
  const { new_groups: _, other_new_groups: __, ...changed } = values;
  const isImport = importId !== null || row.action === 'client.imported';
  const hasValues = details !== null && references === null && !isImport;
  return {
    ...columns,
    action: row.action as Action,
    environment: row.environment as Environment | null,
    requestId: request_id,
    changed: hasValues ? changed : null,
    references,
    importId,
    newGroups: withGroups === null ? null : newGroupsOf(withGroups.split('\n').map(parseDetails)),
  };
}

function newGroupsOf(parts: readonly StoredDetails[]): ActivityEntry['newGroups'] {
  const counts = new GroupChangeCounts();
  for (const { new_groups: newGroups = [], other_new_groups: otherNewGroups = 0 } of parts) {
    counts.addAll({ ...NO_GROUP_CHANGES, newGroups, otherNewGroups });
  }
  return newGroupsIn(counts.summary());
}

function parseDetails(details: string | null): StoredDetails {
  return details === null ? { from: {}, to: {}, reason: null } : JSON.parse(details);
}
