import type { ClientStatus, ClientType } from './client.ts';
import { type ClientFilter, normaliseFilter } from './client-filter.ts';
import type { RequestStatus } from './request-status.ts';

/** How many clients match a filter, in total and by each of their properties, read in one snapshot. */
export interface ClientSummary {
  /** Identifies the snapshot for caches (`WorkspaceVersions`). */
  stamp: string;
  totalCount: number;
  byRequestStatus: Record<RequestStatus, number>;
  byClientType: Record<ClientType, number>;
  byClientStatus: Record<ClientStatus, number>;
  /** The groups with the most clients, the largest first, and by name where they have the same number. None is empty. */
  largestGroups: GroupCount[];
  /** How many further groups have clients that match. */
  otherGroupsCount: number;
}

export interface GroupCount {
  name: string;
  token: string;
  clients: number;
}

export interface ClientSummaries {
  /** With thousands of groups, it takes a while. When the signal is aborted, it throws the reason. */
  read(workspaceId: number, filter: ClientFilter, groupsMax: number, signal?: AbortSignal): Promise<ClientSummary>;
}

/** How many groups a summary shows, unless the caller wants fewer. */
export const SUMMARY_GROUPS_MAX = 100;

export function summariseClients(
  { summaries }: { summaries: ClientSummaries },
  workspaceId: number,
  filter: ClientFilter,
  { groupsMax = SUMMARY_GROUPS_MAX, signal }: { groupsMax?: number; signal?: AbortSignal } = {},
): Promise<ClientSummary> {
  return summaries.read(workspaceId, normaliseFilter(filter), groupsMax, signal);
}
