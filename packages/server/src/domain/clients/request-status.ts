import { Failure } from '../failure.ts';

export const REQUEST_STATUSES = ['pending', 'declined', 'completed', 'accepted', 'requested'] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Where a request may go from where it stands. An import may set any state; nobody else may leave this table. */
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
    `request_status cannot go from ${from} to ${to}; it may become ${TRANSITIONS[from].join(' or ')}.`,
  );
}
