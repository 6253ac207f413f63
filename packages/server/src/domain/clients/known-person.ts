import { matchWords, wordsOf } from './words.ts';

/** What is known about a client, now or formerly, by which texts about it are recognised. */
export interface KnownPerson {
  referenceId: string;
  emails: readonly string[];
  names: readonly string[];
  externalIds: readonly string[];
}

/**
 * Whether a text has all words of a name, an email or an id of the person. A single word is not enough, because it may be that
 * of a group or of a status.
 */
export function namesPerson(text: string, person: KnownPerson): boolean {
  const words = wordsOf(text);
  return valuesOf(person)
    .map((value) => wordsOf(value))
    .some((own) => own.length > 1 && own.every((word) => words.includes(word)));
}

/** Whether a search for these words finds, or would have found, the person. */
export function isFoundBy(searched: readonly string[], person: KnownPerson): boolean {
  return matchWords(wordsOf(...valuesOf(person)), searched);
}

function valuesOf({ referenceId, emails, names, externalIds }: KnownPerson): string[] {
  return [referenceId, ...emails, ...names, ...externalIds];
}
