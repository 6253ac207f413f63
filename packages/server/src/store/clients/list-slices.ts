import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import type { Engine, Reads } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { restBetweenSlices, SliceSize } from './slice-size.ts';
import { inRange } from './sought.ts';

/** A client's place in the list. */
export interface Place {
  created_at: number;
  id: number;
}

export type Direction = 'newest' | 'oldest';

type Condition = (client: ExpressionBuilder<Tables, 'clients'>) => Expression<SqlBool>;

export interface SliceOptions {
  db: Reads;
  engine: Engine;
  signal?: AbortSignal | undefined;
}

/**
 * Goes through the list that the filters make, in its order, and reads what is wanted of each slice. A slice is short enough
 * that whoever waits meanwhile hardly notices, and with no caller left there is no next one.
 */
export async function* readSlices<T>(
  { db, engine, signal }: SliceOptions,
  { workspaceId, search, direction }: { workspaceId: number; search: ClientSearch; direction: Direction },
  read: (slice: Condition) => Promise<T>,
): AsyncGenerator<T> {
  const size = new SliceSize(engine.sliceMs);
  let after: Place | undefined;
  do {
    signal?.throwIfAborted();
    const { result, last } = await size.measured(async (rows) => {
      const end = await placeOf(db, { workspaceId, search, direction, after, rows });
      return { result: await read(between(direction, after, end)), last: end };
    });
    yield result;
    after = last;
    if (after) await restBetweenSlices();
  } while (after);
}

/** The last place of a slice of so many rows; nothing when fewer are left. */
function placeOf(
  db: Reads,
  slice: { workspaceId: number; search: ClientSearch; direction: Direction; after: Place | undefined; rows: number },
): Promise<Place | undefined> {
  const order = slice.direction === 'newest' ? 'desc' : 'asc';
  return db
    .selectFrom('clients')
    .where(inRange(slice.workspaceId, slice.search))
    .where(between(slice.direction, slice.after, undefined))
    .orderBy('clients.created_at', order)
    .orderBy('clients.id', order)
    .select(['clients.created_at', 'clients.id'])
    .offset(slice.rows - 1)
    .limit(1)
    .executeTakeFirst();
}

/** Beyond the one place, and up to and with the other. */
function between(direction: Direction, after: Place | undefined, end: Place | undefined): Condition {
  const [beyond, upTo] = direction === 'newest' ? (['<', '>='] as const) : (['>', '<='] as const);
  return ({ and, eb, refTuple, tuple }) => {
    const conditions: Expression<SqlBool>[] = [];
    const compare = (operator: '<' | '<=' | '>' | '>=', { created_at, id }: Place) =>
      eb(refTuple('clients.created_at', 'clients.id'), operator, tuple(created_at, id));
    if (after) conditions.push(compare(beyond, after));
    if (end) conditions.push(compare(upTo, end));
    return and(conditions);
  };
}
