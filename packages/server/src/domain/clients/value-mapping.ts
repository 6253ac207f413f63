import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from './client.ts';
import { quotedValue } from './quoted-value.ts';
import { REQUEST_STATUSES } from './request-status.ts';

/** The columns that accept only a few words, with these words. */
export const WORDS = {
  client_type: CLIENT_TYPES,
  request_status: REQUEST_STATUSES,
  client_status: CLIENT_STATUSES,
} as const;
export type WordColumn = keyof typeof WORDS;
export type WordOf<Name extends WordColumn> = (typeof WORDS)[Name][number];
export const WORD_COLUMNS = Object.keys(WORDS) as WordColumn[];

/** Which of our words the values of a file mean that has others, by their folded text. */
export type ValueMapping = Readonly<Partial<Record<WordColumn, Readonly<Record<string, string>>>>>;

/** More than anybody would choose words for, and few enough to be part of an address. */
export const VALUES_MAX = 60;
export const VALUE_MAX_LENGTH = 60;

export function isWordColumn(name: string | null | undefined): name is WordColumn {
  return typeof name === 'string' && Object.hasOwn(WORDS, name);
}

/** The word that a cell has or means, in any letter case. */
export function findWord<Name extends WordColumn>(
  column: Name,
  text: string,
  values?: ValueMapping,
): WordOf<Name> | undefined {
  const words: readonly WordOf<Name>[] = WORDS[column];
  const given = fold(text);
  const known = words.find((word) => word === given);
  const meant = known === undefined ? values?.[column] : undefined;
  if (!meant || !Object.hasOwn(meant, given)) return known;
  return words.find((word) => word === meant[given]);
}

/** What a cell may be instead. It is quoted, because one look at it often tells what it was meant to be. */
export function problemWithWord(column: WordColumn, text: string): string {
  return `must be one of ${WORDS[column].join(', ')}, not ${quotedValue(text)}`;
}

/** The values that are written as `field:value:word` each. A value may have colons in it. */
export function toValueMapping(entries: readonly string[]): ValueMapping | undefined {
  if (entries.length === 0) return undefined;
  if (entries.length > VALUES_MAX) throw badValues(`must have at most ${VALUES_MAX} values`);
  const mapping: Partial<Record<WordColumn, Record<string, string>>> = {};
  for (const { column, value, word } of entries.map(toEntry)) {
    const ofColumn = mapping[column] ?? {};
    if (Object.hasOwn(ofColumn, value)) throw badValues(`has ${column}:${value} twice`);
    // A plain assignment would lose a value such as __proto__.
    mapping[column] = { ...ofColumn, ...Object.fromEntries([[value, word]]) };
  }
  return mapping;
}

function toEntry(text: string): { column: WordColumn; value: string; word: string } {
  const [first, last] = [text.indexOf(':'), text.lastIndexOf(':')];
  const column = fold(text.slice(0, Math.max(0, first)));
  if (first === last || !isWordColumn(column)) {
    throw badValues(`must be field:value:word, where field is one of ${WORD_COLUMNS.join(', ')}`);
  }
  const value = fold(text.slice(first + 1, last));
  const word = fold(text.slice(last + 1));
  const words: readonly string[] = WORDS[column];
  if (value === '' || value.length > VALUE_MAX_LENGTH) {
    throw badValues(`must have values of 1 to ${VALUE_MAX_LENGTH} characters`);
  }
  if (!words.includes(word)) throw badValues(`must give ${column} one of ${words.join(', ')}`);
  if (words.includes(value)) throw badValues(`must not give ${column}:${value} another meaning`);
  return { column, value, word };
}

function badValues(problem: string): Failure {
  return new Failure('bad_parameter', `values ${problem}.`);
}
