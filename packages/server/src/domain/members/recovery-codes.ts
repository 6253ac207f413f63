import { randomInt } from 'node:crypto';
import { hashSecret } from '../secret.ts';

const COUNT = 10;
const LENGTH = 16;

/** Without characters that look alike, so that a code can be read from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Each replaces a code of the second factor once. They have almost 80 bits, so that a fast hash is enough. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Returns `undefined` if the text does not have the form of a recovery code. */
export function hashRecoveryCode(text: string): string | undefined {
  const letters = text.toLowerCase().replace(/[\s-]/g, '');
  return FORM.test(letters) ? hashSecret(letters) : undefined;
}
