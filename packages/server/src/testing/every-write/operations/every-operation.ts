import fc from 'fast-check';
import { BULK_OPERATIONS, CLIENT_OPERATIONS } from './clients.ts';
import { GROUP_OPERATIONS } from './groups.ts';
import { IMPORT_OPERATIONS } from './imports.ts';
import { INSTALLATION_OPERATIONS } from './installation.ts';
import { KEY_OPERATIONS } from './keys.ts';
import { MEMBER_OPERATIONS } from './members.ts';
import type { Operation } from './operation.ts';
import { SIGN_IN_OPERATIONS } from './sign-in.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** One step of a run: an operation in one process, or two operations at the same time, one in each process. */
export interface StepChoice {
  /** The process that runs the first operation. */
  process: 0 | 1;
  operation: Operation;
  meanwhile: Operation | undefined;
  /** The time since the previous step. */
  passesMs: number;
  pageLimit: number;
}

const everyOperation = fc.oneof(
  ...CLIENT_OPERATIONS,
  ...BULK_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...INSTALLATION_OPERATIONS,
);

/** Operations that are likely to affect the same data at the same time. */
const contended = fc.oneof(
  ...CLIENT_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
);

/** Usually seconds; sometimes long enough for a session, a code, an invitation or a key to expire. */
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
