import { type CompiledQuery, sql } from 'kysely';
import type { Engine, ReadOnlyDatabase } from '../../engines/engine.ts';
import { stampOf } from '../../stamp.ts';
import { LIST_COLUMNS, type ListRow, newestFirst } from '../list-row.ts';
import { ANY, comparePositions, type FilterCombination, type Position } from './combination.ts';
import { listCondition } from './list-condition.ts';
import { type ListPart, type LocatedPage, type PositionRange, WHOLE_LIST } from './list-union.ts';

type PreparedRead = ReturnType<Engine['prepareListRead']>;

/**
 * Reads slices of lists, and counts parts of them, together with the stamp in one statement, so that both belong to the same
 * snapshot. The lists of one call have the same filters set. A statement for each set of filters and some numbers of lists
 * is compiled and prepared once.
 */
export class PageStatements {
  readonly #engine: Engine;
  readonly #prepared = new Map<string, PreparedRead>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The clients of a page, newest first. Runs within the snapshot if one is given, or else by itself. */
  async read(
    workspaceId: number,
    lists: readonly FilterCombination[],
    range: PositionRange,
    page: LocatedPage,
    snapshot?: ReadOnlyDatabase,
  ): Promise<ListRow[]> {
    const [first] = lists;
    if (!first) return [];
    const isBounded = range !== WHOLE_LIST;
    const merged = padded(lists);
    const name = `read ${page.direction} ${shapeOf(first)} ${merged.length} ${isBounded}`;
    const read = this.#statement(name, () => compileRead(this.#engine, merged, page.direction, isBounded));
    const { from, bound } = clamp(page, range);
    const positions = isBounded ? [from.createdAt, from.id, bound.createdAt, bound.id] : [from.createdAt, from.id];
    const parameters = [
      page.limit,
      page.skip,
      workspaceId,
      ...merged.flatMap((list) => [workspaceId, ...fixedOf(list), ...positions]),
      workspaceId,
      workspaceId,
    ];
    return newestFirst((await read(parameters, snapshot)) as ListRow[]);
  }

  /** The stamp, and the number of clients of each part. */
  async count(
    workspaceId: number,
    parts: readonly ListPart[],
    snapshot?: ReadOnlyDatabase,
  ): Promise<{ stamp: string | undefined; counts: number[] }> {
    const { combination } = parts[0] as ListPart;
    const count = this.#statement(`count ${shapeOf(combination)}`, () => compileCount(this.#engine, combination));
    const wanted = parts.map(({ combination: { groupId, requestStatus, clientType }, from, until }, number) => {
      return [number, groupId, requestStatus, clientType, from.createdAt, from.id, until.createdAt, until.id];
    });
    const rows = (await count([workspaceId, workspaceId, JSON.stringify(wanted)], snapshot)) as CountRow[];
    const counts = new Array<number>(parts.length).fill(0);
    for (const [, number, counted] of rows) counts[number] = counted;
    return { stamp: rows[0]?.[0], counts };
  }

  #statement(name: string, compile: () => CompiledQuery): PreparedRead {
    const prepared = this.#prepared.get(name) ?? this.#engine.prepareListRead(compile());
    this.#prepared.set(name, prepared);
    return prepared;
  }
}

type CountRow = [stamp: string, number: number, counted: number];

const PART_COLUMNS = [
  'number',
  'group_id',
  'request_status',
  'client_type',
  'from_at',
  'from_id',
  'until_at',
  'until_id',
] as const;

/**
 * A connection to PostgreSQL keeps every statement that it has prepared, so there are statements for these numbers of lists
 * only. The last is the most that a filter can have: 20 groups with all request statuses but one.
 */
const LIST_COUNTS = [1, 2, 3, 4, 5, 8, 12, 20, 40, 80];

/** No group, status or type has this number. */
const NOBODY = -1;

/** Adds lists without clients until there is a statement for the number of lists. */
function padded(lists: readonly FilterCombination[]): readonly FilterCombination[] {
  const count = LIST_COUNTS.find((each) => each >= lists.length) ?? lists.length;
  if (count === lists.length) return lists;
  const { groupId, requestStatus, clientType } = lists[0] as FilterCombination;
  const nobody = (value: number) => (value === ANY ? ANY : NOBODY);
  const empty = { groupId: nobody(groupId), requestStatus: nobody(requestStatus), clientType: nobody(clientType) };
  return [...lists, ...new Array<FilterCombination>(count - lists.length).fill(empty)];
}

/** Which filters are set. */
function shapeOf(list: FilterCombination): string {
  return `${list.groupId !== ANY} ${list.requestStatus !== ANY} ${list.clientType !== ANY}`;
}

/** The values of the filters that are set, in the order in which `listCondition` uses them. */
function fixedOf({ groupId, requestStatus, clientType }: FilterCombination): number[] {
  return [groupId, requestStatus, clientType].filter((value) => value !== ANY);
}

/**
 * The position to start from, within the range, and the end of the range that is reached from there. Both in one condition
 * each, because a database uses only one condition for each end of an index scan, and might choose the wrong one.
 */
function clamp({ direction, from }: LocatedPage, range: PositionRange): { from: Position; bound: Position } {
  if (direction === 'older') return { from: earlier(from, range.until), bound: range.from };
  return { from: later(from, { ...range.from, id: range.from.id - 1 }), bound: range.until };
}

function earlier(a: Position, b: Position): Position {
  return comparePositions(a, b) <= 0 ? a : b;
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : b;
}

/**
 * The positions are found in the index alone, merged in their order; then only the clients of the page are looked up. The
 * limits are cast because SQLite would otherwise prepare the statement again for every new value, which takes 50
 * microseconds instead of 10.
 */
function compileRead(
  { reads, lookUp, mergedPage }: Engine,
  lists: readonly FilterCombination[],
  direction: 'older' | 'newer',
  isBounded: boolean,
): CompiledQuery {
  const [comparison, opposite, way] = direction === 'older' ? [sql`<`, sql`>=`, sql`desc`] : [sql`>`, sql`<`, sql`asc`];
  const order = sql`created_at ${way}, id ${way}`;
  const bound = isBounded ? sql`and (created_at, id) ${opposite} (${0}, ${0})` : sql``;
  const positions = lists.map(
    (list) => sql`
      select created_at, id from clients
      where ${listCondition(0, list)} and (created_at, id) ${comparison} (${0}, ${0}) ${bound}`,
  );
  return sql`
    with page as (select cast(${0} as integer) as size, cast(${0} as integer) as skipped)
    select ${stampOf(0)} as stamp, ${LIST_COLUMNS} from (${mergedPage(positions, order)}) as ids
    ${lookUp('clients', 'c', sql`c.workspace_id = ${0} and c.id = ids.id`)}
    ${lookUp('groups', 'g', sql`g.workspace_id = ${0} and g.id = c.group_id`)}`.compile(reads);
}

/**
 * The filters are compared together with the positions, as the first columns of an index. Without statistics, PostgreSQL
 * might otherwise read the range in the index of all clients, and filter it.
 */
function compileCount({ reads, numberRows }: Engine, list: FilterCombination): CompiledQuery {
  const filters: string[] = [];
  if (list.groupId !== ANY) filters.push('group_id');
  if (list.requestStatus !== ANY) filters.push('request_status');
  if (list.clientType !== ANY) filters.push('client_type');
  const row = (table: string, ...position: string[]) =>
    sql`(${sql.join([...filters, ...position].map((column) => sql.ref(`${table}.${column}`)))})`;
  const position = row('c', 'created_at', 'id');
  return sql`
    select ${stampOf(0)} as stamp, w.number as number, (
      select count(*) from clients as c where c.workspace_id = ${0}
        and ${position} >= ${row('w', 'from_at', 'from_id')} and ${position} < ${row('w', 'until_at', 'until_id')}
      ) as counted
    from ${numberRows(PART_COLUMNS, [])} as w`.compile(reads);
}
