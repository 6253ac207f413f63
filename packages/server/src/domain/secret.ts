import { createHash } from 'node:crypto';

/** 256 random bits need no slow hash, and a look-up needs an equal one. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
