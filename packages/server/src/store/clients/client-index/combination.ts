import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import type { Position } from '../../../domain/clients/cursor.ts';
import { CLIENT_TYPE, REQUEST_STATUS } from '../enum-codes.ts';

/**
 * A combination of the three filters that have few values. 0 means that the filter is not set. Every client belongs to
 * eight combinations: each filter is either set to the client's value or not set.
 */
export interface FilterCombination {
  groupId: number;
  requestStatus: number;
  clientType: number;
}

export const ANY = 0;

export type { Position };

/** The position before all clients, where the first run of every combination starts. */
export const LIST_START: Position = { createdAt: 0, id: 0 };

/** The position after all clients. */
export const LIST_END: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The columns that determine the lists of a client and its position in them. */
export interface IndexedRow {
  id: number;
  created_at: number;
  group_id: number;
  request_status: number;
  client_type: number;
}

export function* combinationsOf(row: IndexedRow): Generator<FilterCombination> {
  for (const groupId of [ANY, row.group_id]) {
    for (const requestStatus of [ANY, row.request_status]) {
      for (const clientType of [ANY, row.client_type]) yield { groupId, requestStatus, clientType };
    }
  }
}

/** The combinations that together contain the clients of a filter, each of them once. The caller provides the ids of the groups. */
export function combinationsFor(
  { requestStatuses, clientType }: ClientFilter,
  groupIds: readonly number[] = [ANY],
): FilterCombination[] {
  const statuses = requestStatuses?.map((each) => REQUEST_STATUS.encode(each)) ?? [ANY];
  const type = clientType === undefined ? ANY : CLIENT_TYPE.encode(clientType);
  return groupIds.flatMap((groupId) => statuses.map((requestStatus) => ({ groupId, requestStatus, clientType: type })));
}

/** A number and not a text, because an import computes eight keys for every client. */
export function keyOf({ groupId, requestStatus, clientType }: FilterCombination): number {
  return (groupId * 8 + requestStatus) * 4 + clientType;
}

export function comparePositions(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}
