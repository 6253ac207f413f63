import { withoutAccents } from '#contract/clients/words.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** A word of a text, in the form in which it is compared, with the place in the text of each of its characters. */
interface PlacedWord {
  word: string;
  places: { start: number; end: number }[];
}

/** Half of a character that takes two code units is a part of a word, too. */
const PART_OF_WORD = /[\p{L}\p{N}\p{M}\ud800-\udfff]/v;

/** Divides a text into what a search has found, which are beginnings of words, and the rest. */
export function matchedParts(text: string, searched: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMatch });
  };
  let shown = 0;
  for (const { word, places } of placedWords(text)) {
    const found = Math.max(0, ...searched.filter((each) => word.startsWith(each)).map((each) => each.length));
    const [first, last] = [places[0], places[found - 1]];
    if (!first || !last) continue;
    add(shown, first.start, false);
    add(first.start, last.end, true);
    shown = last.end;
  }
  add(shown, text.length, false);
  return parts;
}

function placedWords(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  let isInWord = false;
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const folded = withoutAccents(character);
    // A space is nothing when it is folded, and so is an accent of its own, which belongs to the letter before it.
    if (folded === '' && /\s/.test(character)) isInWord = false;
    const last = words.at(-1)?.places.at(-1);
    if (folded === '' && isInWord && last) last.end = end;
    for (const unit of folded.split('')) {
      const isPart = PART_OF_WORD.test(unit);
      if (isPart && !isInWord) words.push({ word: '', places: [] });
      isInWord = isPart;
      const word = words.at(-1);
      if (!isPart || !word) continue;
      word.word += unit;
      word.places.push({ start, end });
    }
    start = end;
  }
  return words;
}
