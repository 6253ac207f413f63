import { expect, test } from 'vitest';
import { wordsOf } from '#contract/clients/words.ts';
import { matchedParts } from './matched-parts.ts';

function marked(text: string, search: string): string {
  return matchedParts(text, wordsOf(search))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');
}

test.each([
  ['Fatima Okafor', 'okafor fatima', '[Fatima] [Okafor]'],
  ['Fatima Okafor', 'OK', 'Fatima [Ok]afor'],
  ['fatima.okafor@mail.example', 'okafor ma', 'fatima.[okafor]@[ma]il.example'],
  ['José García', 'garcia', 'José [García]'],
  ['Jose\u0301 Garci\u0301a', 'jose', '[Jose\u0301] Garci\u0301a'],
  ['Straße 7', 'strasse', '[Straße] 7'],
  ['Straße 7', 'stras', '[Straß]e 7'],
  ['Ann Anna', 'an ann', '[Ann] [Ann]a'],
  ['Ada', 'da', 'Ada'],
  ['Ada', '', 'Ada'],
  ['李小龍 Ltd', '李', '[李]小龍 Ltd'],
  ['𠮷野家', '𠮷', '[𠮷]野家'],
])('%s, searched by %s, is shown as %s', (text, search, shown) => {
  expect(marked(text, search)).toBe(shown);
});
