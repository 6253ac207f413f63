import fc from 'fast-check';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../../domain/clients/client.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import { mostly, pick } from './operation.ts';

// Few values, so that clients collide, in several spellings that must be treated as equal.

const COMBINED = 'Ärzte';
const DECOMPOSED = COMBINED.normalize('NFD');

export const email = mostly(
  fc.constantFrom(
    'ada@x.example',
    'ADA@x.example',
    'bob@x.example',
    'cleo@x.example',
    'dan@x.example',
    'é@x.example',
    'É@x.example',
  ),
  fc.constantFrom('', 'nobody', 'a b@x.example'),
);
export const name = mostly(fc.constantFrom('Ada', 'Bob', 'Zoë'), fc.constantFrom('', ' ', 'x'.repeat(201)));
export const type = fc.constantFrom(...CLIENT_TYPES);
export const clientStatus = fc.constantFrom(...CLIENT_STATUSES);
export const requestStatus = fc.constantFrom(...REQUEST_STATUSES);
export const groupName = mostly(
  fc.constantFrom('North', 'NORTH', 'South', 'East', COMBINED, COMBINED.toUpperCase(), DECOMPOSED),
  fc.constantFrom('', 'x'.repeat(121)),
);

/** Empty for none. The letter case matters. */
export const externalId = mostly(
  fc.constantFrom('', 'E1', 'e1', 'E2', 'E 3', '=É4'),
  fc.constantFrom('a,b', ' E1', '\t', 'x'.repeat(256)),
);

/** Why a client is changed. Missing or empty if nobody said so. */
export const reason = mostly(
  fc.constantFrom<string | undefined>(undefined, undefined, '', ' Why not? ', 'A reason'),
  fc.constantFrom<string | undefined>('x'.repeat(501), 'a\0b'),
);

/** Used while clients of a group exchange their emails. */
export const TEMPORARY_EMAIL = 'temporary@x.example';
export const TEMPORARY_GROUP = 'Temporary';

/** The emails above in other spellings, emails of sample clients, and an email that no client has. */
export const EMAILS_TO_LOOK_FOR = [
  'Ada@X.example',
  'bob@x.example',
  'CLEO@x.example',
  'dan@x.example',
  'É@x.example',
  TEMPORARY_EMAIL,
];
export const GROUPS_TO_LOOK_FOR = ['north', 'SOUTH', ' East ', DECOMPOSED, 'Retail investors', 'Nowhere'];

export const UNKNOWN_REFERENCE = '1700000000000-0000';

/** The reference of a client, if there is one; sometimes one that does not exist in this workspace. */
export function referenceOf(state: State, workspace: ModelWorkspace, which: number): string | undefined {
  const elsewhere = workspacesOf(state)
    .filter((each) => each !== workspace)
    .flatMap((each) => each.clients);
  if (which % 10 > 0) return pick(workspace.clients, which)?.referenceId;
  return pick([...workspace.erased, ...elsewhere], which)?.referenceId ?? UNKNOWN_REFERENCE;
}
