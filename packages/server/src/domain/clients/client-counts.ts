import type { ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';

/** How many clients have this request status and client type. Combinations without clients are left out. */
export interface CountCell {
  requestStatus: RequestStatus;
  clientType: ClientType;
  clients: number;
}

/** The figures of the overview. */
export interface ClientCounts {
  cells(workspaceId: number): Promise<CountCell[]>;
  /** The number of groups, and the groups with the most clients, largest first. */
  groups(
    workspaceId: number,
    largest: number,
  ): Promise<{ total: number; largest: { name: string; clients: number }[] }>;
  /** How many clients were created between each time and the next one. The times are in ascending order. */
  createdBetween(workspaceId: number, times: readonly number[]): Promise<number[]>;
}
