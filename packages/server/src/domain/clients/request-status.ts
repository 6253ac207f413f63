import { Failure } from '../failure.ts';

export const REQUEST_STATUSES = ['pending', 'declined', 'completed', 'accepted', 'requested'] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export function isRequestStatus(word: string): word is RequestStatus {
  return (REQUEST_STATUSES as readonly string[]).includes(word);
}

/** The allowed changes of a request status. Only an import may set any status regardless of this table. */
export const TRANSITIONS: Record<RequestStatus, readonly RequestStatus[]> = {
  requested: ['accepted', 'declined'],
  accepted: ['pending', 'declined'],
  pending: ['completed', 'declined'],
  completed: ['pending'],
  declined: ['requested'],
};

/**
 * The statuses in which a client waits for a review by the firm: those from which it may be completed. In the others, the
 * client has the next step, or there is none.
 */
export const WAITING_STATUSES: readonly RequestStatus[] = REQUEST_STATUSES.filter((status) =>
  TRANSITIONS[status].includes('completed'),
);

export function requireTransition(from: RequestStatus, to: RequestStatus): void {
  if (TRANSITIONS[from].includes(to)) return;
  throw new Failure(
    'conflict',
    `The request status cannot change from ${nameOf(from)} to ${nameOf(to)}. It can change to ${TRANSITIONS[from].map(nameOf).join(' or ')}.`,
  );
}

/** The name of a status in a sentence, such as `Pending`. */
function nameOf(status: RequestStatus): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
