import { expect, test } from 'vitest';
import { ApiError } from '../api.ts';
import { proofRequestOf, proofRequestText } from './proof-request.ts';

/** A change is refused with an error, and a file with what its frame has loaded. */
const REFUSALS: [kind: string, refused: (status: number, message: string) => { status: number; message: string }][] = [
  ['change', (status, message) => new ApiError(status, message)],
  ['file', (status, message) => ({ status, message })],
];

test.each(REFUSALS)('whoever is asked for a proof before a %s learns why', (_kind, refused) => {
  const textOf = (status: number, message: string) => {
    const request = proofRequestOf(refused(status, message));
    // As a component gets it.
    return request && proofRequestText({ ...request }, 'ann@firm.example');
  };
  expect(textOf(428, 'Enter your password again to create an API key.')).toBe(
    'You signed in a while ago. Enter your password again to create an API key.',
  );
  expect(textOf(401, 'Sign in first.')).toBe(
    'Your session has ended. Sign in again as ann@firm.example to continue; nothing is lost.',
  );
  expect(textOf(403, 'Only owners may do this.')).toBeUndefined();
});
