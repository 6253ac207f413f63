import { Mark } from '@mantine/core';
import { matchedParts } from './matched-parts.ts';

/** A text in which the beginnings of words that were searched for are marked. */
export function Highlighted({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <Breakable text={text} />;
  let start = 0;
  return matchedParts(text, words).map((part) => {
    start += part.text.length;
    const shown = <Breakable key={start} text={part.text} />;
    return part.isMatch ? <Mark key={start}>{shown}</Mark> : shown;
  });
}

/** An email that is too long for its line is better broken before its domain than within a word. */
function Breakable({ text }: { text: string }) {
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}
