import { Mark } from '@mantine/core';
import { matchedParts } from './matched-parts.ts';

/** A text in which the beginnings of words that were searched for are marked. */
export function Highlighted({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  let start = 0;
  return matchedParts(text, words).map((part) => {
    start += part.text.length;
    return part.isMatch ? <Mark key={start}>{part.text}</Mark> : part.text;
  });
}
