import { isStorable } from './text.ts';

export const EMAIL_MAX_LENGTH = 254;

/** Deliberately loose: only what cannot be an address at all is refused, since delivery is the real proof. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && isStorable(text) && /^[^\s@]+@[^\s@]+$/u.test(text);
}
