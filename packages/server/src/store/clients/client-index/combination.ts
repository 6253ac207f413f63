import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import type { Position } from '../../../domain/clients/cursor.ts';
import { CLIENT_TYPE, REQUEST_STATUS } from '../codes.ts';

/**
 * One way to narrow the list by the three filters that have a small set of values. 0 leaves a filter open.
 * Every client falls under eight combinations: each filter fixed to its own value, or open.
 */
export interface Combination {
  groupId: number;
  requestStatus: number;
  clientType: number;
}

export const ANY = 0;

export type { Position };

/** Before every client, so that the first run of a combination has room for all that comes. */
export const ORIGIN: Position = { createdAt: 0, id: 0 };

/** The columns that decide where a client stands in which lists. */
export interface IndexedRow {
  id: number;
  created_at: number;
  group_id: number;
  request_status: number;
  client_type: number;
}

export function* combinationsOf(row: IndexedRow): Generator<Combination> {
  for (const groupId of [ANY, row.group_id]) {
    for (const requestStatus of [ANY, row.request_status]) {
      for (const clientType of [ANY, row.client_type]) yield { groupId, requestStatus, clientType };
    }
  }
}

/** The filters as the index has them, of the group that they name. */
export function combinationFor({ requestStatus, clientType }: ClientFilter, groupId: number): Combination {
  return {
    groupId,
    requestStatus: requestStatus === undefined ? ANY : REQUEST_STATUS.encode(requestStatus),
    clientType: clientType === undefined ? ANY : CLIENT_TYPE.encode(clientType),
  };
}

/** One number for each combination: an import makes eight of them for every client. */
export function keyOf({ groupId, requestStatus, clientType }: Combination): number {
  return (groupId * 8 + requestStatus) * 4 + clientType;
}

export function comparePositions(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}
