import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { InstallationSecrets, SealedState } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import type { AnsweredChallenge } from './passkey.ts';

const CHALLENGE_MS = 300_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;

export interface ChallengeDeps {
  secrets: InstallationSecrets;
  sealed: SealedState;
}

/** What a challenge is for: to use a passkey, or to add one to this member. */
export type ChallengePurpose = 'use' | `add to ${number}`;

/**
 * A challenge is random, and signed with the secret of the installation, so that any process recognises it and none is stored
 * before it is answered: anybody can ask for many.
 */
export async function makeChallenge(deps: ChallengeDeps, purpose: ChallengePurpose, now: number): Promise<string> {
  const expiry = Buffer.alloc(TIME_BYTES);
  expiry.writeUIntBE(now + CHALLENGE_MS, 0, TIME_BYTES);
  const signed = Buffer.concat([randomBytes(NONCE_BYTES), expiry]);
  return Buffer.concat([signed, await sign(deps, purpose, signed)]).toString('base64url');
}

/** Returns `undefined` if the challenge is not ours, is for something else, or has expired. */
export async function readChallenge(
  deps: ChallengeDeps,
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

async function sign({ secrets, sealed }: ChallengeDeps, purpose: string, signed: Buffer): Promise<Buffer> {
  const id = await sealed.secretId();
  if (id === null) throw new Failure('conflict', 'Passkeys cannot be used yet: the installation has no secret.');
  const text = secrets.byId(id).sign('passkey challenges', JSON.stringify([purpose, signed.toString('base64url')]));
  return Buffer.from(text, 'base64url');
}
