import { sql } from 'kysely';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import type { ClientSummaries, ClientSummary, GroupCount } from '../../domain/clients/summarise-clients.ts';
import { ConcurrencyLimit } from '../../domain/concurrency-limit.ts';
import { fold } from '../../domain/text.ts';
import { pauseBetweenSlices } from '../adaptive-slice-size.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { readStamp } from '../stamp.ts';
import {
  COMBINATION_COLUMNS,
  combinationsFor,
  comparePositions,
  type FilterCombination,
  INACTIVE,
  keyOf,
  toCombinationValues,
} from './client-index/combination.ts';
import { INDEX_LEVELS } from './client-index/levels.ts';
import type { ListCache } from './client-index/list-cache.ts';
import { sameCombination } from './client-index/list-condition.ts';
import { ranksOf } from './client-index/list-ranks.ts';
import { rangeOf, WHOLE_LIST } from './client-index/list-union.ts';
import { PageFinder } from './client-index/page-finder.ts';
import { PageStatements } from './client-index/page-statements.ts';
import { type FewClients, isOfFewClients, openFewClients } from './few-clients.ts';
import { filteredGroups } from './filtered-groups.ts';
import type { GroupRow } from './groups.ts';
import { listRowToClient } from './list-row.ts';

/** Up to this many lists of groups are counted at once. They take up to twenty milliseconds. */
const LISTS_AT_ONCE = 250;

interface IndexRead {
  db: ReadOnlyDatabase;
  workspaceId: number;
  filter: ClientFilter;
  stamp: string;
  groups: readonly GroupRow[];
}

/**
 * Every figure is a sum of the sizes of counted lists, so that no query has to read all clients. What takes long because
 * there are many groups is done in parts, one summary at a time, and ends when its caller leaves.
 */
export function openClientSummaries(engine: Engine, cache: ListCache): ClientSummaries {
  const statements = new PageStatements(engine);
  const findFew = openFewClients(engine);
  const long = new ConcurrencyLimit({
    atOnce: 1,
    waitingMax: 20,
    refusal: 'Too many requests: other summaries of many groups are still running. Try again in a few seconds.',
  });

  async function begin(db: ReadOnlyDatabase, workspaceId: number, filter: ClientFilter): Promise<IndexRead> {
    const stamp = await readStamp(db, workspaceId);
    const groups = await filteredGroups(db, engine, workspaceId, filter).selectAll().execute();
    return { db, workspaceId, filter, stamp, groups };
  }

  async function figures(read: IndexRead): Promise<Omit<ClientSummary, 'largestGroups' | 'otherGroupsCount'>> {
    const { filter, groups, stamp } = read;
    const isByGroup = filter.groupName !== undefined || filter.groupTokens !== undefined;
    const questions = new Questions(filter, isByGroup ? groups.map(({ id }) => id) : undefined);
    const byStatus = REQUEST_STATUSES.map((status) => questions.ask({ requestStatuses: [status] }));
    const byType = CLIENT_TYPES.map((clientType) => questions.ask({ clientType }));
    const inactive = questions.ask({ clientStatus: 'inactive' });

    const count = await answersOf(read, questions);
    const totalCount = sumOf(byStatus.map(count));
    return {
      stamp,
      totalCount,
      byRequestStatus: record(REQUEST_STATUSES, byStatus.map(count)),
      byClientType: record(CLIENT_TYPES, byType.map(count)),
      byClientStatus: { active: totalCount - count(inactive), inactive: count(inactive) },
    };
  }

  async function countsOf(read: IndexRead, groups: readonly GroupRow[]): Promise<number[]> {
    const questions = new Questions(read.filter, undefined);
    const byGroup = groups.map(({ id }) => questions.ask({}, [id]));
    const count = await answersOf(read, questions);
    return byGroup.map(count);
  }

  async function answersOf(read: IndexRead, questions: Questions): Promise<(question: Question) => number> {
    const sizes = await sizesOf(read, questions.lists);
    return (question) => questions.answer(question, sizes);
  }

  async function sizesOf(read: IndexRead, lists: readonly FilterCombination[]): Promise<number[]> {
    const range = rangeOf(read.filter);
    if (range === WHOLE_LIST) return readTotals(engine, read, lists);
    if (comparePositions(range.from, range.until) >= 0) return lists.map(() => 0);
    const { db, workspaceId, stamp } = read;
    const wanted = lists.map((combination) => ({ combination, earlier: cache.pageFinder(workspaceId, combination) }));
    const counted = await PageFinder.loadAll({ db, engine, workspaceId, stamp }, wanted);
    const ranks = await ranksOf(counted, [range.from, range.until], {
      loadRuns: (lists, positions) => PageFinder.loadRunsAt({ db, engine, workspaceId }, lists, positions),
      count: async (parts) => (await statements.count(workspaceId, parts, db)).counts,
    });
    if (!ranks) throw new Error('Lists could not be counted although everything was loaded.');
    // The lists of many groups would displace everything else.
    if (read.groups.length * listsPerGroup(read.filter) <= LISTS_AT_ONCE) cache.keepLists(workspaceId, counted);
    return ranks.map(([first = 0, end = 0]) => end - first);
  }

  /** Returns `undefined` if there are so many groups that it would take too long. */
  function readAtOnce(workspaceId: number, filter: ClientFilter, groupsMax: number) {
    return engine.listSnapshot(async (db): Promise<ClientSummary | undefined> => {
      const read = await begin(db, workspaceId, filter);
      const { groups } = read;
      if (groups.length * listsPerGroup(filter) > LISTS_AT_ONCE) return undefined;
      return { ...(await figures(read)), ...largestOf(groups, await countsOf(read, groups), groupsMax) };
    });
  }

  async function readInParts(workspaceId: number, filter: ClientFilter, groupsMax: number, signal?: AbortSignal) {
    signal?.throwIfAborted();
    const snapshot = await engine.openSnapshot();
    try {
      const read = await begin(snapshot.db, workspaceId, filter);
      const groupsAtOnce = Math.ceil(LISTS_AT_ONCE / listsPerGroup(filter));
      const counts: number[] = [];
      while (counts.length < read.groups.length) {
        const part = read.groups.slice(counts.length, counts.length + groupsAtOnce);
        for (const count of await countsOf(read, part)) counts.push(count);
        await pauseBetweenSlices();
        signal?.throwIfAborted();
      }
      return { ...(await figures(read)), ...largestOf(read.groups, counts, groupsMax) };
    } finally {
      await snapshot.close();
    }
  }

  return {
    read: async (workspaceId, filter, groupsMax, signal) => {
      if (isOfFewClients(filter)) return summariseFew(await findFew(workspaceId, filter), groupsMax);
      return (
        (await readAtOnce(workspaceId, filter, groupsMax)) ??
        (await long.run(() => readInParts(workspaceId, filter, groupsMax, signal)))
      );
    },
  };
}

/** Active clients are counted with two lists. */
function listsPerGroup({ requestStatuses, clientStatus }: ClientFilter): number {
  return (requestStatuses?.length ?? 1) * (clientStatus === 'active' ? 2 : 1);
}

/** Which lists a figure adds up, and which it subtracts. */
interface Question {
  lists: readonly number[];
  excluded: readonly number[];
}

/** Collects the lists that are needed for several figures, each of them once. */
class Questions {
  readonly lists: FilterCombination[] = [];
  readonly #filter: ClientFilter;
  readonly #groupIds: readonly number[] | undefined;
  readonly #numbers = new Map<number, number>();

  constructor(filter: ClientFilter, groupIds: readonly number[] | undefined) {
    this.#filter = filter;
    this.#groupIds = groupIds;
  }

  /** How many clients match the filter and the narrower one as well. */
  ask(narrower: ClientFilter, groupIds = this.#groupIds): Question {
    const filter = { ...this.#filter, ...narrower };
    if (!isWithin(narrower, this.#filter)) return { lists: [], excluded: [] };
    const lists = combinationsFor(filter, groupIds);
    const excluded = filter.clientStatus === 'active' ? lists.map((each) => ({ ...each, clientStatus: INACTIVE })) : [];
    return { lists: lists.map((each) => this.#numberOf(each)), excluded: excluded.map((each) => this.#numberOf(each)) };
  }

  answer({ lists, excluded }: Question, sizes: readonly number[]): number {
    const size = (list: number) => sizes[list] as number;
    return sumOf(lists.map(size)) - sumOf(excluded.map(size));
  }

  #numberOf(list: FilterCombination): number {
    const number = this.#numbers.get(keyOf(list)) ?? this.lists.push(list) - 1;
    this.#numbers.set(keyOf(list), number);
    return number;
  }
}

/** Whether the narrower filter asks for values that the wider one allows. */
function isWithin(narrower: ClientFilter, wider: ClientFilter): boolean {
  return (
    (narrower.requestStatuses?.every((each) => wider.requestStatuses?.includes(each) ?? true) ?? true) &&
    (narrower.clientType === undefined || (wider.clientType ?? narrower.clientType) === narrower.clientType) &&
    (narrower.clientStatus === undefined || (wider.clientStatus ?? narrower.clientStatus) === narrower.clientStatus)
  );
}

/** The total of each list. */
async function readTotals(
  engine: Engine,
  { db, workspaceId }: Pick<IndexRead, 'db' | 'workspaceId'>,
  lists: readonly FilterCombination[],
): Promise<number[]> {
  const wanted = engine.numberRows(
    ['number', ...COMBINATION_COLUMNS],
    lists.map((list, number) => [number, ...toCombinationValues(list)]),
  );
  const { rows } = await sql<{ number: number; total: number | null }>`
    select w.number as number, (
      select sum(r.size) from client_runs as r
      where r.workspace_id = ${workspaceId} and r.level = ${sql.lit(INDEX_LEVELS.sections.number)}
        and ${sameCombination('r', 'w')}
    ) as total
    from ${wanted} as w`.execute(db);
  const totals = lists.map(() => 0);
  for (const { number, total } of rows) totals[number] = Number(total ?? 0);
  return totals;
}

function largestOf(
  groups: readonly Pick<GroupRow, 'name' | 'name_folded' | 'token'>[],
  counts: readonly number[],
  groupsMax: number,
): Pick<ClientSummary, 'largestGroups' | 'otherGroupsCount'> {
  const counted = groups
    .map(({ name, name_folded, token }, index) => ({ name, folded: name_folded, token, clients: counts[index] ?? 0 }))
    .filter(({ clients }) => clients > 0)
    .sort((a, b) => b.clients - a.clients || (a.folded < b.folded ? -1 : 1));
  return {
    largestGroups: counted
      .slice(0, groupsMax)
      .map(({ name, token, clients }): GroupCount => ({ name, token, clients })),
    otherGroupsCount: Math.max(0, counted.length - groupsMax),
  };
}

function summariseFew({ stamp, rows }: FewClients, groupsMax: number): ClientSummary {
  const clients = rows.map(listRowToClient);
  const groups = new Map(clients.map(({ groupName, groupToken }) => [groupToken, groupName]));
  const asRows = [...groups].map(([token, name]) => ({ name, name_folded: fold(name), token }));
  const countOf = <Value>(values: readonly Value[], value: Value) => values.filter((each) => each === value).length;
  const tally = <Value extends string>(values: readonly Value[], found: readonly Value[]) =>
    record(
      values,
      values.map((value) => countOf(found, value)),
    );
  const tokens = clients.map(({ groupToken }) => groupToken);
  return {
    stamp,
    totalCount: clients.length,
    byRequestStatus: tally(
      REQUEST_STATUSES,
      clients.map(({ requestStatus }) => requestStatus),
    ),
    byClientType: tally(
      CLIENT_TYPES,
      clients.map(({ type }) => type),
    ),
    byClientStatus: tally(
      CLIENT_STATUSES,
      clients.map(({ status }) => status),
    ),
    ...largestOf(
      asRows,
      asRows.map(({ token }) => countOf(tokens, token)),
      groupsMax,
    ),
  };
}

function record<Name extends string>(names: readonly Name[], values: readonly number[]): Record<Name, number> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, number>;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
