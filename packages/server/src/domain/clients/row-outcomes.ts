import { type ImportSummary, NOTHING_IMPORTED, type RowOutcome, type RowResults } from './import-clients.ts';
import type { NumberedRejection } from './import-job.ts';
import type { ImportRow, SourceRow } from './parse-row.ts';

/** A row of a file, on its way into the store. */
export interface TriedRow {
  rowNumber: number;
  row: SourceRow;
  /** The reason why it is rejected, if its cells are wrong. */
  parsed: ImportRow | string;
}

/** Those whose cells are right, which the store is asked to import. */
export function rightRows(tried: readonly TriedRow[]): ImportRow[] {
  return tried.flatMap(({ parsed }) => (typeof parsed === 'string' ? [] : [parsed]));
}

/** How many rows did what, and which were rejected. The store has told the outcomes of those whose cells are right. */
export function resultOf(
  tried: readonly TriedRow[],
  { outcomes, ...changes }: RowResults,
): ImportSummary & { rejections: NumberedRejection[] } {
  const summary: ImportSummary = { ...NOTHING_IMPORTED, ...changes };
  const rejections: NumberedRejection[] = [];
  let next = 0;
  for (const { rowNumber, row, parsed } of tried) {
    const outcome: RowOutcome | undefined = typeof parsed === 'string' ? { rejected: parsed } : outcomes[next++];
    if (outcome === undefined) throw new Error('A row of an import has no outcome.');
    if (typeof outcome === 'string') summary[outcome]++;
    else {
      summary.rejected++;
      rejections.push({ rowNumber, row, reason: outcome.rejected });
    }
  }
  return { ...summary, rejections };
}
