import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { AdaptiveSliceSize, pauseBetweenSlices } from '../adaptive-slice-size.ts';
import type { ReadOnlyDatabase, SearchEngine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { matchesFilter } from './client-filter.ts';

/** The position of a client in the list. */
export interface RowPosition {
  created_at: number;
  id: number;
}

export function oldestFirst(a: RowPosition, b: RowPosition): number {
  return a.created_at - b.created_at || a.id - b.id;
}

export type Direction = 'newest' | 'oldest';

type Condition = (client: ExpressionBuilder<Tables, 'clients'>) => Expression<SqlBool>;

export interface SliceOptions {
  db: ReadOnlyDatabase;
  engine: Pick<SearchEngine, 'sliceMs' | 'pauseMs'>;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the filtered list slice by slice, in its order. A slice is short enough that other requests are hardly delayed. When
 * the signal is aborted, no further slice is read.
 */
export async function* readSlices<T>(
  { db, engine, signal }: SliceOptions,
  { workspaceId, filter, direction }: { workspaceId: number; filter: ClientFilter; direction: Direction },
  read: (slice: Condition) => Promise<T>,
): AsyncGenerator<T> {
  const size = new AdaptiveSliceSize(engine.sliceMs);
  let after: RowPosition | undefined;
  do {
    signal?.throwIfAborted();
    const { result, last } = await size.measure(async (rows) => {
      const end = await endOfSlice(db, { workspaceId, filter, direction, after, rows });
      return { result: await read(between(direction, after, end)), last: end };
    });
    yield result;
    after = last;
    if (after) await pauseBetweenSlices(engine.pauseMs);
  } while (after);
}

/**
 * The last position of a slice with this number of rows, or `undefined` if fewer rows are left. The status of the clients
 * does not count, because there may be millions of inactive clients between two active ones.
 */
function endOfSlice(
  db: ReadOnlyDatabase,
  slice: {
    workspaceId: number;
    filter: ClientFilter;
    direction: Direction;
    after: RowPosition | undefined;
    rows: number;
  },
): Promise<RowPosition | undefined> {
  const order = slice.direction === 'newest' ? 'desc' : 'asc';
  return db
    .selectFrom('clients')
    .where(matchesFilter(slice.workspaceId, { ...slice.filter, clientStatus: undefined }))
    .where(between(slice.direction, slice.after, undefined))
    .orderBy('clients.created_at', order)
    .orderBy('clients.id', order)
    .select(['clients.created_at', 'clients.id'])
    .offset(slice.rows - 1)
    .limit(1)
    .executeTakeFirst();
}

/** After the one position, and up to and including the other. */
function between(direction: Direction, after: RowPosition | undefined, end: RowPosition | undefined): Condition {
  const [beyond, upTo] = direction === 'newest' ? (['<', '>='] as const) : (['>', '<='] as const);
  return ({ and, eb, refTuple, tuple }) => {
    const conditions: Expression<SqlBool>[] = [];
    const compare = (operator: '<' | '<=' | '>' | '>=', { created_at, id }: RowPosition) =>
      eb(refTuple('clients.created_at', 'clients.id'), operator, tuple(created_at, id));
    if (after) conditions.push(compare(beyond, after));
    if (end) conditions.push(compare(upTo, end));
    return and(conditions);
  };
}
