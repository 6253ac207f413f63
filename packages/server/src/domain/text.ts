import { Failure } from './failure.ts';

const ASCII = /^[\x20-\x7e]*$/;

/**
 * The form in which text is compared: trimmed, NFC, lower case. Both storage engines compare the bytes of this form, so
 * they always agree on which texts are equal.
 */
export function fold(text: string): string {
  // Most text is ASCII, which NFC does not change. Testing for it first makes imports faster.
  if (ASCII.test(text)) return text.trim().toLowerCase();
  return text.trim().normalize('NFC').toLowerCase().normalize('NFC');
}

/** Whether every engine can store the text and return it unchanged: no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** It replaces bytes that were not valid UTF-8, so the original text is already lost. */
export const REPLACEMENT_CHARACTER = '\uFFFD';

/** Returns what is wrong with a text: it must be storable, readable, not empty and not too long. */
export function problemWithText(text: string, maxLength: number): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!isStorable(text) || text.includes(REPLACEMENT_CHARACTER)) return 'is not valid UTF-8 text';
  if (text.trim() === '') return 'must not be empty';
  if (text.trim().length > maxLength) return `must have at most ${maxLength} characters`;
  return undefined;
}

/** Characters that show nothing by themselves. Beside others they have a meaning: some languages join and part letters with them. */
const INVISIBLE = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** They turn around what follows them. The marks U+200E and U+200F do not, and are used in names with letters of two directions. */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

/** The same for a name, which must also show what it is: members choose by it. Names that were stored before are not checked again. */
export function problemWithName(name: string, maxLength: number): string | undefined {
  const problem = problemWithText(name, maxLength);
  if (problem || ASCII.test(name)) return problem;
  if (name.replace(INVISIBLE, '') === '') return 'must contain a character that can be seen';
  const [control] = DIRECTION_CONTROL.exec(name) ?? [];
  if (control === undefined) return undefined;
  const code = control.charCodeAt(0).toString(16).toUpperCase();
  return `must not contain the invisible character U+${code}, which turns text around`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The tokens of groups are UUIDs. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** For the names of accounts and API keys. */
export const NAME_MAX_LENGTH = 120;

/** Returns the trimmed name. The message of a failure begins with the name of the field. */
export function requireName(name: string, { field = 'name', maxLength = NAME_MAX_LENGTH } = {}): string {
  const problem = problemWithName(name, maxLength);
  if (problem) throw new Failure('bad_parameter', `${field} ${problem}.`);
  return name.trim();
}

export const EMAIL_MAX_LENGTH = 254;

const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/u;

/**
 * Lenient, since only delivery proves an address: it refuses what cannot be one, such as a list of several, or what is left of one
 * when it was copied badly.
 */
export function problemWithEmail(email: string): string | undefined {
  const problem = problemWithText(email, EMAIL_MAX_LENGTH);
  if (problem) return problem;
  return EMAIL.test(email.trim()) ? undefined : 'must be an email address';
}

export function requireEmail(email: string): string {
  const problem = problemWithEmail(email);
  if (problem) throw new Failure('bad_parameter', `email ${problem}.`);
  return email.trim();
}
