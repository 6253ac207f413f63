import type { CountCell } from '../../domain/clients/client-counts.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import type { StatusCounts } from '../contract/clients/groups.ts';

export function sumOf(cells: readonly CountCell[]): number {
  return cells.reduce((sum, { clients }) => sum + clients, 0);
}

export function countByStatus(cells: readonly CountCell[]): StatusCounts {
  const counts = REQUEST_STATUSES.map((status) => [
    status,
    sumOf(cells.filter((cell) => cell.requestStatus === status)),
  ]);
  return Object.fromEntries(counts) as StatusCounts;
}
