import type { ImportRecord } from '#contract/clients/imports.ts';

/** How many rows did what. */
export function countsText({ inserted, updated, unchanged, rejected, dry_run }: ImportRecord): string {
  const wouldBe = dry_run ? 'would be ' : '';
  return `${inserted.toLocaleString()} ${wouldBe}added, ${updated.toLocaleString()} ${wouldBe}updated, ${unchanged.toLocaleString()} unchanged, ${rejected.toLocaleString()} ${wouldBe}rejected.`;
}
