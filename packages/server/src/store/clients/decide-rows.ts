import type { ImportRow, RowOutcome } from '../../domain/clients/import-clients.ts';
import { freshReferences } from './fresh-references.ts';
import { ImportBatch } from './import-batch.ts';
import { type Layer, loadKnown } from './import-known.ts';

interface Moment {
  lastGroupId: number;
  lastClientId: number;
  at: number;
}

/** What becomes of the rows, decided alike for an import and for a dry run. Nothing is written. */
export async function decideRows(
  layers: readonly [Layer, ...Layer[]],
  workspaceId: number,
  rows: readonly ImportRow[],
  { lastGroupId, lastClientId, at }: Moment,
): Promise<{ batch: ImportBatch; outcomes: RowOutcome[] }> {
  const known = await loadKnown(layers, workspaceId, rows);
  const newReference = await freshReferences(layers[0].db, workspaceId, at, rows.length);
  const batch = new ImportBatch({ workspaceId, known, newReference, lastGroupId, lastClientId, at });
  return { batch, outcomes: rows.map((row) => batch.apply(row)) };
}
