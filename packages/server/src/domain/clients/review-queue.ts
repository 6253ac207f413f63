import type { Assignee } from './assign-clients.ts';
import type { Client } from './client.ts';
import type { Position } from './cursor.ts';

/** Of the clients that are assigned to a member, at most this many are looked at, those first that were assigned last. */
export const ASSIGNED_READ_MAX = 10_000;

/** A client that waits for a review. */
export interface WaitingClient {
  client: Client;
  /** When it came to its present status. */
  since: number;
  assignee: Assignee | null;
}

export interface QueuePage {
  /** In the order in which they were added. There may be few, or none, although there are more. */
  clients: WaitingClient[];
  /** Where the next page begins, if there are more. */
  next: Position | undefined;
  /** Whether more clients are assigned to the member than are looked at. */
  leavesOut: boolean;
}

export interface QueueRequest {
  /** The id of a member, `nobody`, or anybody and nobody. */
  assignedTo: number | 'nobody' | undefined;
  /** Where the page begins, or at the oldest. */
  after: Position | undefined;
  /** Whether it has those before this position instead, the newest first. */
  backwards?: boolean;
  limit: number;
}

/** The clients that wait for a review, whatever their number, and who reviews them. */
export interface ReviewQueue {
  read(workspaceId: number, request: QueueRequest): Promise<QueuePage>;
  assigneeOf(workspaceId: number, referenceId: string): Promise<Assignee | null>;
}
