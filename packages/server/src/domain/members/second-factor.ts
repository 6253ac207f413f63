import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Failure, isFailure } from '../failure.ts';
import { type InstallationSecrets, type SealedChanges, sealingSecret } from '../installation-secrets.ts';
import type { SealedPlace } from '../sealed-text.ts';

// Time-based one-time codes (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits and thirty seconds.

const STEP_MS = 30_000;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A code may be one step old when it arrives, and the clock of a phone may be one step ahead. */
const STEPS_AROUND = [0, -1, 1];

export function makeSecondFactorSecret(): string {
  let bits = '';
  for (const byte of randomBytes(SECRET_BYTES)) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

export function codeAt(secret: string, time: number): string {
  return codeOfStep(secret, Math.floor(time / STEP_MS));
}

/** The time step of the code, or `undefined` if the code is wrong. The store checks whether it was used before. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const current = Math.floor(now / STEP_MS);
  return STEPS_AROUND.map((around) => current + around).find((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(digits)),
  );
}

function placeOfSecondFactor(memberId: number): SealedPlace {
  return { table: 'members', column: 'second_factor_secret', row: memberId };
}

export function openSecondFactor(secrets: InstallationSecrets, memberId: number, sealed: string): string {
  try {
    return secrets.open(placeOfSecondFactor(memberId), sealed);
  } catch (error) {
    throw forMember(error);
  }
}

export async function sealSecondFactor(
  secrets: InstallationSecrets,
  sealed: SealedChanges,
  memberId: number,
  secret: string,
): Promise<string> {
  try {
    return (await sealingSecret(secrets, sealed)).seal(placeOfSecondFactor(memberId), secret);
  } catch (error) {
    throw forMember(error);
  }
}

/** A member cannot do anything about a missing secret. `rollcall serve` tells the operator what to do when it is started. */
function forMember(error: unknown): unknown {
  if (!isFailure(error, 'conflict')) return error;
  return new Failure(
    'unavailable',
    'Service temporarily unavailable: second factors cannot be used, because the secret that protects them is not available. Ask the operator of this service.',
    { cause: error },
  );
}

/**
 * The link with which an authenticator app adds the secret. It names the account, because apps replace an entry of the same name,
 * and a person may have one in each of several accounts.
 */
export function secondFactorLink(
  secret: string,
  { email, accountName }: { email: string; accountName: string },
): string {
  const label = encodeURIComponent(`Rollcall:${email} (${accountName})`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Rollcall&algorithm=SHA1&digits=6&period=30`;
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function decodeBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
