import { Failure } from '../failure.ts';

export const REQUEST_STATUSES = ['pending', 'declined', 'completed', 'accepted', 'requested'] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** The allowed changes of a request status. Only an import may set any status regardless of this table. */
export const TRANSITIONS: Record<RequestStatus, readonly RequestStatus[]> = {
  requested: ['accepted', 'declined'],
  accepted: ['pending', 'declined'],
  pending: ['completed', 'declined'],
  completed: ['pending'],
  declined: ['requested'],
};

export function requireTransition(from: RequestStatus, to: RequestStatus): void {
  if (TRANSITIONS[from].includes(to)) return;
  throw new Failure(
    'conflict',
    `request_status cannot change from ${from} to ${to}; it can only change to ${TRANSITIONS[from].join(' or ')}.`,
  );
}
