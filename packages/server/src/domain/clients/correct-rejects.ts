import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { type ImportSummary, makeImportId, type RowChanges } from './import-clients.ts';
import { type ImportChanges, type ImportJob, isOver, unknownImport } from './import-job.ts';
import { parseRow, type SourceRow } from './parse-row.ts';
import { resultOf, rightRows } from './row-outcomes.ts';

export interface CorrectRejectsDeps {
  changeWorkspace: ChangeWorkspace<{ clients: RowChanges; imports: ImportChanges }>;
  clock: Clock;
}

export interface CorrectedRow {
  rowNumber: number;
  cells: SourceRow['cells'];
}

export interface CorrectionSummary extends ImportSummary {
  /** How many rows are no longer among the rejected ones: somebody has corrected them before, or their client was erased. */
  gone: number;
}

/**
 * Imports rejected rows of an import that is over with other cells. What happens to the clients and to the rejected rows is one
 * transaction: a row that is imported is no longer rejected, and another one keeps what was tried and the new reason. So a row has
 * its effect once, however often it is sent.
 */
export async function correctRejects(
  { changeWorkspace, clock }: CorrectRejectsDeps,
  by: ChangeBy,
  importId: string,
  rows: readonly CorrectedRow[],
): Promise<CorrectionSummary> {
  if (rows.length === 0) throw new Failure('bad_parameter', 'rows must not be empty.');
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const job = requireCorrectable(await change.imports.find(importId), importId);
    const cellsOf = new Map(rows.map(({ rowNumber, cells }) => [rowNumber, cells]));
    const kept = await change.imports.rejects(importId, [...cellsOf.keys()]);
    const tried = kept.map(({ rowNumber, row: { line } }) => {
      const row: SourceRow = { line, cells: cellsOf.get(rowNumber) ?? {} };
      return { rowNumber, row, parsed: parseRow(row) };
    });
    const { outcomes, clients } = await change.clients.importRows(rightRows(tried), job.request.only);
    const entry = { id: makeImportId(), clients, importId };
    change.record('client.imported', `corrected rows of ${job.request.name}`, entry);
    const { rejections, ...summary } = resultOf(tried, outcomes);
    const still = new Set(rejections.map(({ rowNumber }) => rowNumber));
    const imported = tried.map(({ rowNumber }) => rowNumber).filter((rowNumber) => !still.has(rowNumber));
    if (tried.length > 0) await change.imports.correct(job, { ...summary, imported, rejections });
    return { ...summary, gone: cellsOf.size - tried.length };
  });
}

function requireCorrectable(job: ImportJob | undefined, importId: string): ImportJob {
  if (!job) throw unknownImport(importId);
  if (!isOver(job))
    throw new Failure('conflict', 'The import is not over yet. Its rejected rows can be corrected then.');
  if (!job.request.dryRun) return job;
  throw new Failure('conflict', 'The file was only checked. Import it, and correct the rows that are rejected then.');
}
