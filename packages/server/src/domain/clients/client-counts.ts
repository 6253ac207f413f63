import type { ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';

/** How many clients have this status and type. What nobody has is no cell. */
export interface CountCell {
  requestStatus: RequestStatus;
  clientType: ClientType;
  clients: number;
}

/** The figures of the overview. */
export interface ClientCounts {
  cells(workspaceId: number): Promise<CountCell[]>;
  /** How many groups there are, and those with the most clients, the largest first. */
  groups(
    workspaceId: number,
    largest: number,
  ): Promise<{ total: number; largest: { name: string; clients: number }[] }>;
  /** How many were created between each time and the next. The times ascend. */
  arrivals(workspaceId: number, times: readonly number[]): Promise<number[]>;
}
