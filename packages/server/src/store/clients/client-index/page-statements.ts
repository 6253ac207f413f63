import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Engine, ReadOnlyDatabase } from '../../engines/engine.ts';
import { stampOf } from '../../stamp.ts';
import { LIST_COLUMNS, type ListRow, newestFirst, UPDATED_AT } from '../list-row.ts';
import {
  ACTIVE,
  ANY,
  COMBINATION_COLUMNS,
  comparePositions,
  type FilterCombination,
  type Position,
  type PositionRange,
  toCombinationValues,
} from './combination.ts';
import { IS_INACTIVE, listCondition } from './list-condition.ts';
import type { ListPart } from './list-ranks.ts';
import { type LocatedPage, WHOLE_LIST } from './list-union.ts';

/** What to read of which lists. They have the same filters set. */
export interface ListSelection {
  lists: readonly FilterCombination[];
  range: PositionRange;
  /** Leaves out the inactive clients of the lists. */
  activeOnly: boolean;
  withUpdatedAt: boolean;
}

type PreparedRead = ReturnType<Engine['prepareListRead']>;

/**
 * Reads slices of lists, and counts parts of them, together with the stamp in one statement, so that both belong to the same
 * snapshot. A statement for each set of filters and some numbers of lists is compiled and prepared once.
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
    selection: ListSelection,
    page: LocatedPage,
    snapshot?: ReadOnlyDatabase,
  ): Promise<ListRow[]> {
    const [first] = selection.lists;
    if (!first) return [];
    const isBounded = selection.range !== WHOLE_LIST;
    const merged = padded(selection.lists);
    const { activeOnly, withUpdatedAt } = selection;
    const name = `read ${page.direction} ${shapeOf(first)} ${merged.length} ${isBounded} ${activeOnly} ${withUpdatedAt}`;
    const read = this.#statement(name, () =>
      compileRead(this.#engine, { ...selection, lists: merged }, page.direction),
    );
    const { from, bound } = clamp(page, selection.range);
    const parameters = [page.limit, page.skip, workspaceId];
    for (const list of merged) {
      parameters.push(workspaceId);
      addFixed(parameters, list);
      parameters.push(from.createdAt, from.id);
      if (isBounded) parameters.push(bound.createdAt, bound.id);
    }
    parameters.push(workspaceId, workspaceId);
    return newestFirst((await read(parameters, snapshot)) as ListRow[]);
  }

  /** The number of clients of each part, and the stamp, unless the data has changed meanwhile. */
  async count(
    workspaceId: number,
    parts: readonly ListPart[],
    snapshot?: ReadOnlyDatabase,
  ): Promise<{ stamp: string | undefined; counts: number[] }> {
    const counts = new Array<number>(parts.length).fill(0);
    const stamps = new Set<string | undefined>();
    for (const [shape, numbered] of byShape(parts)) {
      const { combination } = numbered[0] as NumberedPart;
      const count = this.#statement(`count ${shape}`, () => compileCount(this.#engine, combination));
      const wanted = numbered.map(({ number, combination, from, until }) => {
        return [number, ...toCombinationValues(combination), from.createdAt, from.id, until.createdAt, until.id];
      });
      const rows = (await count([workspaceId, workspaceId, JSON.stringify(wanted)], snapshot)) as CountRow[];
      for (const [, number, counted] of rows) counts[number] = counted;
      stamps.add(rows[0]?.[0]);
    }
    const [stamp] = stamps;
    return { stamp: stamps.size === 1 ? stamp : undefined, counts };
  }

  #statement(name: string, compile: () => CompiledQuery): PreparedRead {
    const prepared = this.#prepared.get(name) ?? this.#engine.prepareListRead(compile());
    this.#prepared.set(name, prepared);
    return prepared;
  }
}

type CountRow = [stamp: string, number: number, counted: number];

const PART_COLUMNS = ['number', ...COMBINATION_COLUMNS, 'from_at', 'from_id', 'until_at', 'until_id'] as const;

type NumberedPart = ListPart & { number: number };

/** The parts of lists that have the same filters set are counted together. */
function byShape(parts: readonly ListPart[]): Map<number, NumberedPart[]> {
  const shapes = new Map<number, NumberedPart[]>();
  for (const [number, part] of parts.entries()) {
    const shape = shapeOf(part.combination);
    const same = shapes.get(shape);
    if (same) same.push({ ...part, number });
    else shapes.set(shape, [{ ...part, number }]);
  }
  return shapes;
}

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
  const { groupId, requestStatus, clientType, clientStatus } = lists[0] as FilterCombination;
  const nobody = (value: number) => (value === ANY ? ANY : NOBODY);
  const empty = {
    groupId: nobody(groupId),
    requestStatus: nobody(requestStatus),
    clientType: nobody(clientType),
    clientStatus,
  };
  return [...lists, ...new Array<FilterCombination>(count - lists.length).fill(empty)];
}

/** Which filters are set, as the bits of a number. */
function shapeOf({ groupId, requestStatus, clientType, clientStatus }: FilterCombination): number {
  const isSet = (value: number) => (value === ANY ? 0 : 1);
  return 8 * isSet(groupId) + 4 * isSet(requestStatus) + 2 * isSet(clientType) + isSet(clientStatus);
}

/** Adds the values of the filters that are set and are parameters, in the order in which `listCondition` uses them. */
function addFixed(parameters: number[], { groupId, requestStatus, clientType }: FilterCombination): void {
  if (groupId !== ANY) parameters.push(groupId);
  if (requestStatus !== ANY) parameters.push(requestStatus);
  if (clientType !== ANY) parameters.push(clientType);
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
  { lists, range, activeOnly, withUpdatedAt }: ListSelection,
  direction: 'older' | 'newer',
): CompiledQuery {
  const [comparison, opposite, way] = direction === 'older' ? [sql`<`, sql`>=`, sql`desc`] : [sql`>`, sql`<`, sql`asc`];
  const order = sql`created_at ${way}, id ${way}`;
  const bound = range === WHOLE_LIST ? sql`` : sql`and (created_at, id) ${opposite} (${0}, ${0})`;
  const active = activeOnly ? sql`and client_status = ${sql.lit(ACTIVE)}` : sql``;
  const positions = lists.map(
    (list) => sql`
      select created_at, id from clients
      where ${listCondition(0, list)} and (created_at, id) ${comparison} (${0}, ${0}) ${bound} ${active}`,
  );
  return sql`
    with page as (select cast(${0} as integer) as size, cast(${0} as integer) as skipped)
    select ${stampOf(0)} as stamp, ${LIST_COLUMNS}${withUpdatedAt ? sql`, ${UPDATED_AT}` : sql``} from (${mergedPage(positions, order)}) as ids
    ${lookUp('clients', 'c', sql`c.workspace_id = ${0} and c.id = ids.id`)}
    ${lookUp('groups', 'g', sql`g.workspace_id = ${0} and g.id = c.group_id`)}`.compile(reads);
}

/**
 * Only what lies between the positions is read of the index of the list. The comparisons with the positions must not contain
 * the filters: PostgreSQL would then read the list from its beginning, and SQLite would use another index.
 */
function compileCount({ reads, numberRows }: Engine, list: FilterCombination): CompiledQuery {
  const filters: RawBuilder<unknown>[] = [];
  if (list.groupId !== ANY) filters.push(sql`and c.group_id = w.group_id`);
  if (list.requestStatus !== ANY) filters.push(sql`and c.request_status = w.request_status`);
  if (list.clientType !== ANY) filters.push(sql`and c.client_type = w.client_type`);
  if (list.clientStatus !== ANY) filters.push(sql`and c.${IS_INACTIVE}`);
  return sql`
    select ${stampOf(0)} as stamp, w.number as number, (
      select count(*) from clients as c where c.workspace_id = ${0} ${sql.join(filters, sql` `)}
        and (c.created_at, c.id) >= (w.from_at, w.from_id) and (c.created_at, c.id) < (w.until_at, w.until_id)) as counted
    from ${numberRows(PART_COLUMNS, [])} as w`.compile(reads);
}
