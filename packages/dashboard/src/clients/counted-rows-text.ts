import type { CountedRows } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { linesText } from './lines-text.ts';

/** Which rows of an import have given a client another email, or would. */
export function emailChangeText(changes: CountedRows, wouldBe: boolean): string {
  const rows = countText(changes.rows, 'row', 'rows');
  return `${rows} ${wouldBe ? 'would give' : 'gave'} a client with the same ID another email${linesText(changes)}.`;
}

/** Which rows of an import have added a client although a client of another group has its email, or would. */
export function elsewhereText(added: CountedRows, wouldBe: boolean): string {
  const rows = countText(added.rows, 'row', 'rows');
  return `${rows} ${wouldBe ? 'would add' : 'added'} a client whose email another group has${linesText(added)}.`;
}

/** Which rows of an import have changed a client that an earlier row has added or changed, or would. */
export function repeatsText(repeats: CountedRows, wouldBe: boolean): string {
  const rows = countText(repeats.rows, 'row', 'rows');
  const replaced = wouldBe ? 'would replace' : 'replaced';
  return `${rows} ${replaced} what an earlier row of the file says about the same client${linesText(repeats)}.`;
}
