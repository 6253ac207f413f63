import { fold } from '../text.ts';
import type { Client } from './client.ts';
import type { ClientFilter } from './client-filter.ts';
import { type Cursor, decodeCursor, encodeCursor, type Position } from './cursor.ts';

export interface ListClientsRequest extends ClientFilter {
  pageNumber: number;
  pageLimit: number;
  /** Replaces the page number: the position from which the list continues. */
  cursor?: string | undefined;
}

/** Which part of a list to read: from an offset, counted from the newest client, or from a position in either direction. */
export type PageWindow = { limit: number } & ({ offset: number } | { olderThan: Position } | { newerThan: Position });

/** Consecutive clients of a list, newest first, read in one snapshot. */
export interface PageSlice {
  /** Identifies the snapshot for caches (`WorkspaceVersions`). */
  stamp: string;
  /** The total number of matching clients. */
  totalCount: number;
  clients: Client[];
  /** The positions of the first and the last of these clients. */
  first?: Position | undefined;
  last?: Position | undefined;
  /** Whether the list has more clients before and after these. */
  hasNewer: boolean;
  hasOlder: boolean;
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
  const { pageLimit } = request;
  const filter = foldFilter(request);
  const cursor = request.cursor === undefined ? undefined : decodeCursor(request.cursor, filter);
  const pageNumber = cursor?.pageNumber ?? request.pageNumber;
  const slice = await deps.clients.read(workspaceId, filter, windowOf(cursor, pageNumber, pageLimit));
  const { totalCount, clients, stamp } = slice;
  return {
    pageNumber,
    pageLimit,
    totalCount,
    totalPages: Math.ceil(totalCount / pageLimit),
    clients,
    stamp,
    ...neighbourCursors(slice, pageNumber, filter),
  };
}

/** Folds the text filters, because the store compares folded text. */
export function foldFilter({ email, groupName, requestStatus, clientType }: ClientFilter): ClientFilter {
  return {
    email: email === undefined ? undefined : fold(email),
    groupName: groupName === undefined ? undefined : fold(groupName),
    requestStatus,
    clientType,
  };
}

function windowOf(cursor: Cursor | undefined, pageNumber: number, limit: number): PageWindow {
  if (!cursor) return { offset: (pageNumber - 1) * limit, limit };
  return cursor.direction === 'older' ? { olderThan: cursor.from, limit } : { newerThan: cursor.from, limit };
}

function neighbourCursors(
  { first, last, hasNewer, hasOlder }: PageSlice,
  pageNumber: number,
  filter: ClientFilter,
): Pick<ClientsPage, 'nextCursor' | 'prevCursor'> {
  return {
    ...(last &&
      hasOlder && { nextCursor: encodeCursor({ direction: 'older', from: last, pageNumber: pageNumber + 1 }, filter) }),
    ...(first &&
      hasNewer && {
        prevCursor: encodeCursor({ direction: 'newer', from: first, pageNumber: Math.max(1, pageNumber - 1) }, filter),
      }),
  };
}
