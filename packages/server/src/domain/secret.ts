import { createHash } from 'node:crypto';

/** A fast hash is enough for 256 random bits, and a look-up needs the same hash every time. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
