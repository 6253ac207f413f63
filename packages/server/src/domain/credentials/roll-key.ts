import type { ChangeBy } from '../change.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import {
  type ApiKey,
  currentSecret,
  isExpired,
  isLive,
  type KeySecret,
  makeSecret,
  oldSecret,
  previewOf,
} from './api-key.ts';
import { OVERLAP_DEFAULT_SECONDS, OVERLAP_MAX_SECONDS } from './key-bounds.ts';
import { factsOf } from './key-facts.ts';
import { type ChangeKeyDeps, findInChange, labelOfKey, revokedConflict } from './manage-keys.ts';

/** Ended secrets are kept for a while, so that a program that still uses one is told why it is refused. */
const SECRETS_KEPT = 10;

export interface RolledKey {
  key: ApiKey;
  secret: string;
  /** A secret that still worked and was ended at once, because a key has at most two that work. */
  ended: KeySecret | undefined;
}

/**
 * Gives the key a new secret that works at once. The one that it replaces works for `overlapSeconds` more, and any older one
 * ends at once. Returns when every process of this machine follows that.
 */
export async function rollKey(
  deps: ChangeKeyDeps,
  by: ChangeBy,
  keyId: string,
  { overlapSeconds = OVERLAP_DEFAULT_SECONDS }: { overlapSeconds?: number | undefined } = {},
): Promise<RolledKey> {
  const at = deps.clock.now();
  requireOverlap(overlapSeconds);
  const rolled = await deps.changeWorkspace({ ...by, at }, async (change) => {
    const before = await findInChange(change, keyId);
    requireRollable(before, at);
    const replaced = currentSecret(before);
    const ended = oldSecret(before, at);
    const secret = makeSecret(before.environment);
    const added = {
      number: replaced.number + 1,
      preview: previewOf(secret),
      createdAt: at,
      endsAt: null,
      endedAt: null,
    };
    const ends = [endingAfter(replaced, at, overlapSeconds), ...(ended ? [endingAfter(ended, at, 0)] : [])];
    const key = await change.keys.roll(keyId, { added, hash: hashSecret(secret), ends, keep: SECRETS_KEPT });
    change.record('key.rolled', labelOfKey(key));
    return { key, secret, ended };
  });
  await deps.onKeysChanged([factsOf(rolled.key)]);
  return rolled;
}

/**
 * Ends a secret that was replaced before its time. Without a number, it is the one that still works. Returns when no process
 * of this machine accepts an access token that was made from it.
 */
export async function endOldSecret(deps: ChangeKeyDeps, by: ChangeBy, keyId: string, number?: number): Promise<ApiKey> {
  const at = deps.clock.now();
  const key = await deps.changeWorkspace({ ...by, at }, async (change) => {
    const before = await findInChange(change, keyId);
    const secret = number === undefined ? oldSecret(before, at) : findSecret(before, number);
    if (!secret) throw new Failure('conflict', 'This API key has no old secret that still works.');
    if (secret === currentSecret(before)) throw currentSecretConflict();
    if (!isLive(secret, at)) return before;
    const after = await change.keys.endSecret(keyId, secret.number);
    change.record('key.secret-ended', `${after.name} (${secret.preview})`);
    return after;
  });
  await deps.onKeysChanged([factsOf(key)]);
  return key;
}

function requireOverlap(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= OVERLAP_MAX_SECONDS) return;
  throw new Failure(
    'bad_parameter',
    `overlap_seconds must be a whole number from 0 to ${OVERLAP_MAX_SECONDS} (30 days).`,
  );
}

function requireRollable(key: ApiKey, now: number): void {
  if (key.revokedAt !== null) throw revokedConflict();
  if (!isExpired(key, now)) return;
  throw new Failure('conflict', 'This API key has expired. Give it a later expiry first, or create a new API key.');
}

/** Without an overlap, the secret ends now, whatever the clocks of other machines say. */
function endingAfter(secret: KeySecret, at: number, overlapSeconds: number): KeySecret {
  if (overlapSeconds === 0) return { ...secret, endsAt: at, endedAt: at };
  return { ...secret, endsAt: at + overlapSeconds * 1000 };
}

function findSecret({ secrets }: ApiKey, number: number): KeySecret {
  const secret = secrets.find((each) => each.number === number);
  if (!secret) throw new Failure('not_found', 'This API key has no such secret.');
  return secret;
}

function currentSecretConflict(): Failure {
  return new Failure(
    'conflict',
    'This is the current secret of the API key. Roll the key to replace it, or revoke the key.',
  );
}
