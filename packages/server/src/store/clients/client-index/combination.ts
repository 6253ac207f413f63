import type { ClientFilter } from '../../../domain/clients/client-filter.ts';
import type { Position } from '../../../domain/clients/cursor.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from '../enum-codes.ts';

/**
 * A combination of the filters that have few values. 0 means that the filter is not set. A client belongs to all
 * combinations in which each filter is either set to the client's value or not set. There is no list of active clients,
 * because they are all clients of a list except the inactive ones, which are usually few.
 */
export interface FilterCombination {
  groupId: number;
  requestStatus: number;
  clientType: number;
  /** Either `ANY` or `INACTIVE`. */
  clientStatus: number;
}

export const ANY = 0;
export const ACTIVE = CLIENT_STATUS.encode('active');
export const INACTIVE = CLIENT_STATUS.encode('inactive');

/** The columns of a combination in `client_runs`, in the order of its primary key. */
export const COMBINATION_COLUMNS = ['group_id', 'request_status', 'client_type', 'client_status'] as const;

type CombinationRow = Record<(typeof COMBINATION_COLUMNS)[number], number>;

export function toCombinationValues(combination: FilterCombination): number[] {
  const { groupId, requestStatus, clientType, clientStatus } = combination;
  return [groupId, requestStatus, clientType, clientStatus];
}

export function fromCombinationRow(row: CombinationRow): FilterCombination {
  return {
    groupId: row.group_id,
    requestStatus: row.request_status,
    clientType: row.client_type,
    clientStatus: row.client_status,
  };
}

export type { Position };

/** From one position, inclusive, to another, exclusive. */
export interface PositionRange {
  from: Position;
  until: Position;
}

/** The position before all clients, where the first run of every combination starts. */
export const LIST_START: Position = { createdAt: 0, id: 0 };

/** The position after all clients. */
export const LIST_END: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The columns that determine the lists of a client and its position in them. */
export interface IndexedRow extends CombinationRow {
  id: number;
  created_at: number;
}

export function* combinationsOf(row: IndexedRow): Generator<FilterCombination> {
  for (const clientStatus of row.client_status === INACTIVE ? [ANY, INACTIVE] : [ANY]) {
    for (const groupId of [ANY, row.group_id]) {
      for (const requestStatus of [ANY, row.request_status]) {
        for (const clientType of [ANY, row.client_type]) yield { groupId, requestStatus, clientType, clientStatus };
      }
    }
  }
}

/**
 * The combinations that together contain the clients of a filter, each of them once. The caller provides the ids of the
 * groups. For active clients, these still contain the inactive ones.
 */
export function combinationsFor(
  { requestStatuses, clientType, clientStatus }: ClientFilter,
  groupIds: readonly number[] = [ANY],
): FilterCombination[] {
  const statuses = requestStatuses?.map((each) => REQUEST_STATUS.encode(each)) ?? [ANY];
  const others = {
    clientType: clientType === undefined ? ANY : CLIENT_TYPE.encode(clientType),
    clientStatus: clientStatus === 'inactive' ? INACTIVE : ANY,
  };
  return groupIds.flatMap((groupId) => statuses.map((requestStatus) => ({ groupId, requestStatus, ...others })));
}

/** A number and not a text, because an import computes eight keys or more for every client. */
export function keyOf({ groupId, requestStatus, clientType, clientStatus }: FilterCombination): number {
  return ((groupId * 8 + requestStatus) * 4 + clientType) * 4 + clientStatus;
}

export function comparePositions(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}
