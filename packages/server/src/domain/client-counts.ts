import type { ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';

/** How many clients of a group have this status and type. Groups without clients have no cells. */
export interface CountCell {
  groupToken: string;
  requestStatus: RequestStatus;
  clientType: ClientType;
  clients: number;
}

/** The figures of the overview and of the groups. */
export interface ClientCounts {
  cells(workspaceId: number): Promise<CountCell[]>;
  /** How many were created between each time and the next. The times ascend. */
  arrivals(workspaceId: number, times: readonly number[]): Promise<number[]>;
}
