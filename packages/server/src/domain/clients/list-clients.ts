import { fold } from '../text.ts';
import type { Client } from './client.ts';
import type { ClientFilter } from './client-filter.ts';
import { type Cursor, decodeCursor, encodeCursor, type Position } from './cursor.ts';

export interface ListClientsRequest extends ClientFilter {
  pageNumber: number;
  pageLimit: number;
  /** Stands instead of the page number: the place from which to go on. */
  cursor?: string | undefined;
}

/** Which stretch of a list is wanted: from a place counted from the newest, or on from a client, in either direction. */
export type PageWindow = { limit: number } & ({ offset: number } | { olderThan: Position } | { newerThan: Position });

/** Clients newest first, as they were at one moment. */
export interface Stretch {
  /** Names that moment for caches (`WorkspaceVersions`). */
  stamp: string;
  /** How many match in all. */
  totalCount: number;
  clients: Client[];
  /** The places of the first and the last of them. */
  first?: Position | undefined;
  last?: Position | undefined;
  /** Whether there are more beyond either end. */
  hasNewer: boolean;
  hasOlder: boolean;
}

export interface ClientPages {
  read(workspaceId: number, filter: ClientFilter, window: PageWindow): Promise<Stretch>;
}

export interface ClientsPage {
  pageNumber: number;
  pageLimit: number;
  totalCount: number;
  totalPages: number;
  clients: Client[];
  stamp: string;
  /** For walking on without skipping or repeating anybody, however many arrive meanwhile. */
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
  const stretch = await deps.clients.read(workspaceId, filter, windowOf(cursor, pageNumber, pageLimit));
  const { totalCount, clients, stamp } = stretch;
  return {
    pageNumber,
    pageLimit,
    totalCount,
    totalPages: Math.ceil(totalCount / pageLimit),
    clients,
    stamp,
    ...neighbours(stretch, pageNumber, filter),
  };
}

/** Text filters in the form in which the store compares them. */
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

function neighbours(
  { first, last, hasNewer, hasOlder }: Stretch,
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
