import { Argument, InvalidArgumentError, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { OVERLAP_DEFAULT_SECONDS, OVERLAP_MAX_SECONDS } from '../../domain/credentials/key-bounds.ts';
import { NOBODY_TO_TELL } from '../../domain/credentials/key-facts.ts';
import { findWorkspaceOfKey } from '../../domain/credentials/manage-keys.ts';
import { parseRateLimit, RATE_LIMIT_FORM } from '../../domain/credentials/rate-limit.ts';
import { SCOPES, type Scope } from '../../domain/credentials/scope.ts';
import { Failure, isFailure } from '../../domain/failure.ts';
import { parseTime } from '../../domain/time.ts';
import type { CommandContext } from '../context.ts';

export const EXAMPLE_KEY_ID = 'key_0h3k9x2m7q4w8e1r5t6';

export const keyArgument = () => new Argument('<key-id>', 'the id of the key, as `rollcall key list` shows it');

export const scopeOption = () =>
  new Option('--scope <scopes>', `what the key may do, separated by commas: ${SCOPES.join(', ')}`)
    .argParser(readScopes)
    .default(['clients:read'], 'clients:read');

export const expiresOption = (description: string) => new Option('--expires <time>', description).argParser(readExpiry);

export const allowOption = (description: string) =>
  new Option('--allow <networks>', description).argParser((value) => value.split(','));

/** For a key that exists, an empty text takes the restriction away. A new key must not lose it because a variable was not set. */
export const changedAllowOption = (description: string) =>
  allowOption(description).argParser((value) => (value === '' ? [] : value.split(',')));

export const noteOption = () => new Option('--note <text>', 'who has the key and what it is used for');

export const limitOption = (read: (value: string) => string, otherwise: string) =>
  new Option('--limit <limit>', `a rate limit of its own: ${RATE_LIMIT_FORM}; ${otherwise}`).argParser(read);

export const overlapOption = () =>
  new Option('--overlap <time>', 'how long the old secret works: 0, or such as 90m, 24h or 7d, up to 30d')
    .argParser(readOverlap)
    .default(OVERLAP_DEFAULT_SECONDS, '24h');

/** What a command needs to change any key. It accepts no access tokens, so nobody has to be told. */
export async function changeAnyKey({ store, clock }: CommandContext, keyId: string) {
  const workspaceId = await findWorkspaceOfKey(store.keys, keyId);
  const deps = { ...store, clock, onKeysChanged: NOBODY_TO_TELL };
  return { deps, by: { workspaceId, actor: OPERATOR } };
}

function readScopes(value: string): Scope[] {
  const words = value.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !(SCOPES as readonly string[]).includes(word));
  if (unknown === undefined) return words as Scope[];
  throw new InvalidArgumentError(`The scopes are ${SCOPES.join(' and ')}; separate them by commas.`);
}

/** Commander would turn null into an empty text, so `never` stays a word here. */
function readExpiry(value: string): number | 'never' {
  if (value === 'never') return value;
  const time = parseTime(value);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(
    'It must be a date such as 2027-01-31, a time such as 2027-01-31T12:00:00Z (in UTC unless it has an offset), or never.',
  );
}

export function readLimit(value: string): string {
  if (parseRateLimit(value) !== undefined) return value;
  throw new InvalidArgumentError(`It must be ${RATE_LIMIT_FORM}.`);
}

export function readLimitOrDefault(value: string): string {
  if (value === 'default' || parseRateLimit(value) !== undefined) return value;
  throw new InvalidArgumentError(`It must be ${RATE_LIMIT_FORM}, or default.`);
}

/** The options for the fields that messages about an API key begin with. */
const OPTION_OF_FIELD: Record<string, string> = {
  name: '--name',
  note: '--note',
  allowed_networks: '--allow',
  expires_at: '--expires',
};

/** Refuses what was given under the name by which it was given: messages begin with the name of a field of the API. */
export async function namingOptions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error, 'bad_parameter')) throw error;
    const message = error.message.replace(/^\w+/, (field) => OPTION_OF_FIELD[field] ?? field);
    throw new Failure('bad_parameter', message, { cause: error });
  }
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

function readOverlap(value: string): number {
  const [, amount, unit] = /^(\d{1,7})([smhd])$/.exec(value === '0' ? '0s' : value) ?? [];
  const seconds = Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  if (seconds <= OVERLAP_MAX_SECONDS) return seconds;
  throw new InvalidArgumentError('It must be 0, or a number and s, m, h or d such as 90m, 24h or 7d, up to 30d.');
}
