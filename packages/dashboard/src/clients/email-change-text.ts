import type { EmailChanges, ImportRecord } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';

/** Which rows of an import have given a client another email, or would. */
export function emailChangeText({ rows, lines }: EmailChanges, wouldBe: boolean): string {
  const shown = lines.map((line) => line.toLocaleString()).join(', ');
  const where = `${rows === 1 ? 'line' : 'lines'} ${shown}${rows > lines.length ? ', …' : ''}`;
  return `${countText(rows, 'row', 'rows')} ${wouldBe ? 'would give' : 'gave'} a client with the same ID another email: ${where}.`;
}

/** Whether an import gives clients another email. A service of an earlier version does not tell. */
export function changesEmails({ email_changes: changes }: ImportRecord): boolean {
  return changes !== undefined && changes.rows > 0;
}
