import fc from 'fast-check';
import { CLIENT_OPERATIONS } from './clients.ts';
import { GROUP_OPERATIONS } from './groups.ts';
import { IMPORT_OPERATIONS } from './imports.ts';
import { INSTALLATION_OPERATIONS } from './installation.ts';
import { KEY_OPERATIONS } from './keys.ts';
import { MEMBER_OPERATIONS } from './members.ts';
import type { Operation } from './operation.ts';
import { SIGN_IN_OPERATIONS } from './sign-in.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** One step of a run: one operation in one of the processes, or two at the same moment, each in one. */
export interface StepChoice {
  /** Which of the two processes begins. */
  process: 0 | 1;
  operation: Operation;
  meanwhile: Operation | undefined;
  /** How much time has passed since the step before. */
  passesMs: number;
  pageLimit: number;
}

const everyOperation = fc.oneof(
  ...CLIENT_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...INSTALLATION_OPERATIONS,
);

/** What may well happen to the same things at the same moment. */
const contended = fc.oneof(
  ...CLIENT_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
);

/** Seconds mostly; sometimes long enough for a session, a code, an invitation or a key to run out. */
const passesMs = fc.oneof(
  { weight: 40, arbitrary: fc.constant(1000) },
  { weight: 8, arbitrary: fc.constant(MINUTE_MS) },
  { weight: 1, arbitrary: fc.constant(13 * 60 * MINUTE_MS) },
  { weight: 1, arbitrary: fc.constant(8 * DAY_MS) },
);

const surroundings = {
  process: fc.constantFrom(0 as const, 1 as const),
  passesMs,
  pageLimit: fc.constantFrom(2, 3, 5, 40),
};

export const stepChoice: fc.Arbitrary<StepChoice> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ ...surroundings, operation: everyOperation, meanwhile: fc.constant(undefined) }),
  },
  { weight: 1, arbitrary: fc.record({ ...surroundings, operation: contended, meanwhile: contended }) },
);
