import { expect, test } from 'vitest';
import { REQUEST_STATUSES, type RequestStatus, requireTransition } from './request-status.ts';

// The table of the contract, written out again, so that a change to one of them is noticed.
const ALLOWED = new Set([
  'requested accepted',
  'requested declined',
  'accepted pending',
  'accepted declined',
  'pending completed',
  'pending declined',
  'completed pending',
  'declined requested',
]);

const PAIRS = REQUEST_STATUSES.flatMap((from) =>
  REQUEST_STATUSES.map((to): [RequestStatus, RequestStatus] => [from, to]),
);

test.each(PAIRS)('from %s to %s', (from, to) => {
  if (ALLOWED.has(`${from} ${to}`)) expect(() => requireTransition(from, to)).not.toThrow();
  else
    expect(() => requireTransition(from, to)).toThrow(
      /^The request status cannot change from [A-Z]\w+ to [A-Z]\w+\. It can/,
    );
});

test('a refused change is explained with the names of the statuses that are possible', () => {
  expect(() => requireTransition('pending', 'requested')).toThrow(
    'The request status cannot change from Pending to Requested. It can change to Completed or Declined.',
  );
});
