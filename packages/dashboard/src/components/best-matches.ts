export interface Findable {
  label: string;
  /** Other words by which it is found. */
  keywords?: string | undefined;
  /** What names nothing else, such as an email. */
  ids?: readonly string[] | undefined;
}

/** How well something matches what was typed, from 0 (not at all) to 4 (it is called exactly so). */
export type Match = 0 | 1 | 2 | 3 | 4;

/** Every typed word has to be the beginning of a word, as in a search for clients. */
export function matchOf({ label, keywords = '', ids = [] }: Findable, typed: string): Match {
  const text = plain(typed);
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  if ([label, ...ids].some((name) => plain(name) === text)) return 4;
  if (plain(label).startsWith(text)) return 3;
  if (beginWords(words, label)) return 2;
  return beginWords(words, [label, keywords, ...ids].join(' ')) ? 1 : 0;
}

export interface Matched<Entry> {
  entry: Entry;
  match: Match;
}

/** The entries that match, the best one first. Where they match equally well, they stay in their order. */
export function bestMatches<Entry extends Findable>(
  entries: readonly Entry[],
  typed: string,
  limit = Number.POSITIVE_INFINITY,
): Matched<Entry>[] {
  const matched = entries.map((entry) => ({ entry, match: matchOf(entry, typed) })).filter(({ match }) => match > 0);
  return byMatch(matched).slice(0, limit);
}

export function byMatch<Entry>(matched: readonly Matched<Entry>[]): Matched<Entry>[] {
  return matched.toSorted((a, b) => b.match - a.match);
}

function beginWords(words: readonly string[], text: string): boolean {
  const found = wordsOf(plain(text));
  return words.every((word) => found.some((each) => each.startsWith(word)));
}

/** Without accents and letter case, which people leave out when they type. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
