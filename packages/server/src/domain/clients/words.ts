import { Failure } from '../failure.ts';
import { fold } from '../text.ts';

/** Longer words are cut, in clients and in searches alike. No name and few parts of an email are that long. */
const WORD_MAX_LENGTH = 64;

/** Enough for a full name and an email that are pasted together. */
const SEARCHED_WORDS_MAX = 20;

const ASCII = /^[\0-\x7f]*$/;

/** Letters that Unicode does not take for a plain letter with a mark, although people type the plain one. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  // The form of sigma at the end of a word, which is not its end while somebody is typing it.
  ς: 'σ',
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/**
 * What people leave out when they type: accents, the points of Hebrew and Arabic, and characters that only affect how a text is
 * shown. In other scripts, such as Devanagari, Thai and Japanese, marks are letters.
 */
const LEFT_OUT = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]|\p{Cf}/gv;

/** Letters to Unicode, although the apostrophe of a keyboard, which people type instead, separates words. */
const APOSTROPHES = /[\u02b9-\u02bf]/g;

/** What a client can be found by. */
export interface SearchedFields {
  name: string;
  email: string;
  reference_id: string;
  external_id: string | null;
}

/**
 * The words of a client. The database keeps them for every client, so a change of what this returns needs a migration that
 * fills the table of words again.
 */
export function wordsOfClient({ name, email, reference_id, external_id }: SearchedFields): string[] {
  return wordsOf(name, email, reference_id, external_id ?? '');
}

/** The words of the texts, each once, without regard to letter case and accents. */
export function wordsOf(...texts: string[]): string[] {
  const words: string[] = [];
  for (const text of texts) {
    for (const found of separate(text)) {
      const word = cut(found);
      // There are few, for which this is faster than a set. An import makes the words of every client.
      if (!words.includes(word)) words.push(word);
    }
  }
  return words;
}

function separate(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return withoutAccents(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

export function withoutAccents(text: string): string {
  const bare = text.normalize('NFKD').replace(APOSTROPHES, ' ').replace(LEFT_OUT, '');
  return fold(bare).replace(OTHER_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

function cut(word: string): string {
  if (word.length <= WORD_MAX_LENGTH) return word;
  // Not in the middle of a character that takes two code units.
  return word.slice(0, WORD_MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** The words that somebody searches for. Without a letter or a digit there are none, and then nobody is found. */
export function searchedWords(text: string): string[] {
  const words = wordsOf(text);
  if (words.length > SEARCHED_WORDS_MAX) {
    throw new Failure('bad_parameter', `search must have at most ${SEARCHED_WORDS_MAX} words.`);
  }
  return neededWords(words);
}

/** Whoever has "delia" also has a word that begins with "de". */
export function neededWords(words: readonly string[]): string[] {
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

/** Whether each searched word is the beginning of one of the words. Without a searched word, it is not. */
export function matchWords(words: readonly string[], searched: readonly string[]): boolean {
  return searched.length > 0 && searched.every((each) => words.some((word) => word.startsWith(each)));
}
