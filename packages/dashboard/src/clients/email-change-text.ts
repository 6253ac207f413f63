import type { EmailChanges, ImportRecord } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { linesText } from './lines-text.ts';

/** Which rows of an import have given a client another email, or would. */
export function emailChangeText(changes: EmailChanges, wouldBe: boolean): string {
  const rows = countText(changes.rows, 'row', 'rows');
  return `${rows} ${wouldBe ? 'would give' : 'gave'} a client with the same ID another email${linesText(changes)}.`;
}

/** Whether an import gives clients another email. A service of an earlier version does not tell. */
export function changesEmails({ email_changes: changes }: ImportRecord): boolean {
  return changes !== undefined && changes.rows > 0;
}
