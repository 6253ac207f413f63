import { readFileSync, writeFileSync } from 'node:fs';
import { randomFrom, shuffle } from './random.ts';

/** The sample clients have no line breaks in their cells, so each line is one client. */
export function writeShuffled(inOrder: string, shuffled: string): void {
  const [header = '', ...lines] = readFileSync(inOrder, 'utf8').trimEnd().split('\n');
  shuffle(lines, randomFrom(1));
  writeFileSync(shuffled, [header, ...lines, ''].join('\n'));
}
