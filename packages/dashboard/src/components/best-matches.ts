import { withoutAccents } from '#contract/clients/index.ts';

export interface Findable {
  label: string;
  /** Other words by which it is found. */
  keywords?: string | undefined;
  /** What names nothing else, such as an email. */
  ids?: readonly string[] | undefined;
}

/** How well something matches what was typed, from 0 (not at all) to 4 (it is called exactly so). */
export type Match = 0 | 1 | 2 | 3 | 4;

type Matcher = (findable: Findable) => Match;

/**
 * Every typed word has to be the beginning of a word, as in a search for clients. What is the same for all that are compared
 * with it is done once, because there may be 100,000 groups.
 */
export function matcherOf(typed: string): Matcher {
  const text = plain(typed);
  const words = wordsOf(text);
  return ({ label, keywords = '', ids = [] }) => {
    if (words.length === 0) return 0;
    const name = plain(label);
    if (name === text || ids.some((id) => plain(id) === text)) return 4;
    if (name.startsWith(text)) return 3;
    if (beginWords(words, name)) return 2;
    return beginWords(words, plain([label, keywords, ...ids].join(' '))) ? 1 : 0;
  };
}

/** The same for groups and members, of whose names any part may be typed: many are one long word. */
export function partMatcherOf(typed: string): Matcher {
  const text = plain(typed);
  const matchWords = matcherOf(typed);
  return (findable) => matchWords(findable) || (plain(findable.label).includes(text) ? 1 : 0);
}

export interface Matched<Entry> {
  entry: Entry;
  match: Match;
}

/** The entries that match, the best one first. Where they match equally well, they stay in their order. */
export function bestMatches<Entry extends Findable>(
  entries: readonly Entry[],
  matcher: Matcher,
  limit = Number.POSITIVE_INFINITY,
): Matched<Entry>[] {
  const matched = entries.map((entry) => ({ entry, match: matcher(entry) })).filter(({ match }) => match > 0);
  return byMatch(matched).slice(0, limit);
}

export function byMatch<Entry>(matched: readonly Matched<Entry>[]): Matched<Entry>[] {
  return matched.toSorted((a, b) => b.match - a.match);
}

function beginWords(words: readonly string[], text: string): boolean {
  // Dividing the names of 100,000 groups into words would take half a second.
  if (!words.every((word) => text.includes(word))) return false;
  const found = wordsOf(text);
  return words.every((word) => found.some((each) => each.startsWith(word)));
}

const ASCII = /^[\0-\x7f]*$/;

/** Without accents and letter case, which people leave out when they type, as in a search for clients. */
function plain(text: string): string {
  return (ASCII.test(text) ? text.toLowerCase() : withoutAccents(text)).trim();
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
