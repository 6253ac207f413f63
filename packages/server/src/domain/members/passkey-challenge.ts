import { randomBytes, timingSafeEqual } from 'node:crypto';
import { currentSecret, type SigningDeps } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import type { AnsweredChallenge } from './passkey.ts';

const CHALLENGE_MS = 300_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;

/** What a challenge is for: to use a passkey, or to add one to this member. */
export type ChallengePurpose = 'use' | `add to ${number}`;

/**
 * A challenge is random, and signed with the secret of the installation, so that any process recognises it and none is stored
 * before it is answered: anybody can ask for many.
 */
export async function makeChallenge(deps: SigningDeps, purpose: ChallengePurpose, now: number): Promise<string> {
  const expiry = Buffer.alloc(TIME_BYTES);
  expiry.writeUIntBE(now + CHALLENGE_MS, 0, TIME_BYTES);
  const signed = Buffer.concat([randomBytes(NONCE_BYTES), expiry]);
  return Buffer.concat([signed, await sign(deps, purpose, signed)]).toString('base64url');
}

/** Returns `undefined` if the challenge is not ours, is for something else, or has expired. */
export async function readChallenge(
  deps: SigningDeps,
  purpose: ChallengePurpose,
  challenge: string,
  now: number,
): Promise<AnsweredChallenge | undefined> {
  const bytes = Buffer.from(challenge, 'base64url');
  const signed = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const signature = bytes.subarray(NONCE_BYTES + TIME_BYTES);
  const expected = await sign(deps, purpose, signed);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  const expiresAt = signed.readUIntBE(NONCE_BYTES, TIME_BYTES);
  return expiresAt > now ? { hash: hashSecret(challenge), expiresAt } : undefined;
}

async function sign(deps: SigningDeps, purpose: string, signed: Buffer): Promise<Buffer> {
  const secret = await currentSecret(deps);
  const text = secret.sign('passkey challenges', JSON.stringify([purpose, signed.toString('base64url')]));
  return Buffer.from(text, 'base64url');
}
