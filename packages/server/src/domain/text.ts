import { Failure } from './failure.ts';

const ASCII = /^[\x20-\x7e]*$/;

/**
 * The one form in which text is compared: trimmed, NFC, lower case. Both storage engines compare the bytes of this
 * form, so they cannot disagree about letters.
 */
export function fold(text: string): string {
  // Most text is ASCII, for which NFC changes nothing; looking first spares an import most of its folding.
  if (ASCII.test(text)) return text.trim().toLowerCase();
  return text.trim().normalize('NFC').toLowerCase().normalize('NFC');
}

/** Text that every engine can store and give back unchanged: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Stands where bytes could not be read as UTF-8: whatever was meant is already lost. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/** A name that a person gave: storable, not empty, not endless, and readable. Says what is wrong with it. */
export function problemWithName(name: string, maxLength: number): string | undefined {
  if (name.includes('\0')) return 'must not contain a NUL character';
  if (!isStorable(name) || name.includes(REPLACEMENT_CHARACTER)) return 'is not valid UTF-8 text';
  if (name.trim() === '') return 'must not be empty';
  if (name.trim().length > maxLength) return `must have at most ${maxLength} characters`;
  return undefined;
}

/** Of accounts and of keys. */
export const NAME_MAX_LENGTH = 120;

export function requireName(name: string): string {
  const problem = problemWithName(name, NAME_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `name ${problem}.`);
  return name.trim();
}

export const EMAIL_MAX_LENGTH = 254;

/** Deliberately loose: only what cannot be an address at all is refused, since delivery is the real proof. */
export function problemWithEmail(email: string): string | undefined {
  const problem = problemWithName(email, EMAIL_MAX_LENGTH);
  if (problem) return problem;
  return /^[^\s@]+@[^\s@]+$/u.test(email.trim()) ? undefined : 'must be an email address';
}
