import type { Client } from './client.ts';
import { type ClientFilter, normaliseFilter } from './client-filter.ts';
import { type Cursor, decodeCursor, encodeCursor, type OrderedList, type Position } from './cursor.ts';
import type { ListOrder } from './list-orders.ts';

export interface ListClientsRequest extends ClientFilter {
  pageNumber: number;
  pageLimit: number;
  /** Newest first unless it is given. */
  order?: ListOrder | undefined;
  /** Whether the clients have the time of their last change. */
  withUpdatedAt?: boolean | undefined;
  /** Replaces the page number: the position from which the list continues. */
  cursor?: string | undefined;
}

/**
 * Which part of a list to read: from an offset, counted from its beginning in this order, or from a position in either
 * direction. The order is newest first unless it is given.
 */
export type PageWindow = { limit: number; order?: ListOrder; withUpdatedAt?: boolean } & (
  | { offset: number }
  | { olderThan: Position }
  | { newerThan: Position }
);

/** Consecutive clients of a list, in the order of the window, read in one snapshot. */
export interface PageSlice {
  /** Identifies the snapshot for caches (`WorkspaceVersions`). */
  stamp: string;
  /** The total number of matching clients. */
  totalCount: number;
  clients: Client[];
  /** The positions of the first and the last of these clients. */
  first?: Position | undefined;
  last?: Position | undefined;
  /** Whether the list has more clients before and after these, in the order of the window. */
  hasPrevious: boolean;
  hasNext: boolean;
}

export interface ClientPages {
  read(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<PageSlice>;
}

export interface ClientsPage {
  pageNumber: number;
  pageLimit: number;
  totalCount: number;
  totalPages: number;
  clients: Client[];
  stamp: string;
  /** Following these cursors neither skips nor repeats a client, even if clients are added in the meantime. */
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
}

export async function listClients(
  deps: { clients: ClientPages },
  workspaceId: number,
  request: ListClientsRequest,
): Promise<ClientsPage> {
  const { pageLimit, order = 'newest', withUpdatedAt = false } = request;
  const list = { ...normaliseFilter(request), order };
  const cursor = request.cursor === undefined ? undefined : decodeCursor(request.cursor, list);
  const pageNumber = cursor?.pageNumber ?? request.pageNumber;
  const window = { ...windowOf(cursor, pageNumber, pageLimit), order, withUpdatedAt };
  const slice = await deps.clients.read(workspaceId, list, window);
  const { totalCount, clients, stamp } = slice;
  return {
    pageNumber,
    pageLimit,
    totalCount,
    totalPages: Math.ceil(totalCount / pageLimit),
    clients,
    stamp,
    ...neighbourCursors(slice, pageNumber, list),
  };
}

function windowOf(cursor: Cursor | undefined, pageNumber: number, limit: number): PageWindow {
  if (!cursor) return { offset: (pageNumber - 1) * limit, limit };
  return cursor.direction === 'older' ? { olderThan: cursor.from, limit } : { newerThan: cursor.from, limit };
}

function neighbourCursors(
  { first, last, hasPrevious, hasNext }: PageSlice,
  pageNumber: number,
  list: OrderedList,
): Pick<ClientsPage, 'nextCursor' | 'prevCursor'> {
  const [onwards, backwards] = list.order === 'newest' ? (['older', 'newer'] as const) : (['newer', 'older'] as const);
  return {
    ...(last &&
      hasNext && { nextCursor: encodeCursor({ direction: onwards, from: last, pageNumber: pageNumber + 1 }, list) }),
    ...(first &&
      hasPrevious && {
        prevCursor: encodeCursor({ direction: backwards, from: first, pageNumber: Math.max(1, pageNumber - 1) }, list),
      }),
  };
}
