import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { currentSecret, type SigningDeps } from '../installation-secrets.ts';

export interface NoteDeps extends SigningDeps {
  clock: Clock;
}

/** A text that a browser keeps for us for a while. It can read it, but not change it. */
export async function signNote(deps: NoteDeps, purpose: string, text: string, lifetimeMs: number): Promise<string> {
  const signed = `${Buffer.from(text).toString('base64url')}.${deps.clock.now() + lifetimeMs}`;
  return `${signed}.${(await currentSecret(deps)).sign(purpose, signed)}`;
}

/** Returns `undefined` if the note is not one of ours for this purpose, or has expired. */
export async function readNote(deps: NoteDeps, purpose: string, note = ''): Promise<string | undefined> {
  const [, signed, text = '', expiresAt, signature = ''] = /^(([\w-]+)\.(\d+))\.([\w-]{43})$/.exec(note) ?? [];
  if (signed === undefined || Number(expiresAt) <= deps.clock.now()) return undefined;
  const expected = (await currentSecret(deps)).sign(purpose, signed);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
  return Buffer.from(text, 'base64url').toString();
}
