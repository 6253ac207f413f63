import { createHash } from 'node:crypto';
import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { COLUMNS } from './client-columns.ts';
import { newGroupsIn } from './group-change-counts.ts';
import { IdSet } from './id-set.ts';
import { type ImportSummary, makeImportId, type RowChanges } from './import-clients.ts';
import { type ImportChanges, type ImportJob, isOver, type NumberedRejection, unknownImport } from './import-job.ts';
import { CORRECTED_ROWS_OF } from './import-names.ts';
import { parseRow, type SourceRow } from './parse-row.ts';
import { resultOf, rightRows } from './row-outcomes.ts';

export interface CorrectRejectsDeps {
  changeWorkspace: ChangeWorkspace<{ clients: RowChanges; imports: ImportChanges }>;
  clock: Clock;
}

type Cells = SourceRow['cells'];

export interface CorrectedRow {
  rowNumber: number;
  /** The fingerprint of the cells that were shown. */
  seen: string;
  cells: Cells;
}

export interface CorrectionSummary extends ImportSummary {
  /** How many rows are not rejected any more, or not as they were seen: somebody was faster, or their client was erased. */
  gone: number;
  /** The rows that are still rejected, in the order of the file. */
  rejections: NumberedRejection[];
  /** Whether nothing was done, because somebody has to confirm what the rows would do. */
  isAsked: boolean;
}

/** Undoes what was tried. */
class NotConfirmed extends Error {
  readonly summary: CorrectionSummary;

  constructor(summary: CorrectionSummary) {
    super('The corrected rows change clients, which has to be confirmed.');
    this.summary = summary;
  }
}

/**
 * Imports rejected rows of an import that is over with other cells. What happens to the clients and to the rejected rows is one
 * transaction: a row that is imported is no longer rejected, and another one keeps what was tried and the new reason. So a row has
 * its effect once, however often it is sent. If it `asks`, nothing is done when clients would change by it as by a file of which the
 * check tells a member before it is imported: a mistyped id may be that of somebody else.
 */
export async function correctRejects(
  deps: CorrectRejectsDeps,
  by: ChangeBy,
  importId: string,
  rows: readonly CorrectedRow[],
  { asks = false } = {},
): Promise<CorrectionSummary> {
  if (rows.length === 0) throw new Failure('bad_parameter', 'rows must not be empty.');
  if (new Set(rows.map(({ rowNumber }) => rowNumber)).size < rows.length) {
    throw new Failure('bad_parameter', 'rows must not have the same row_number twice.');
  }
  try {
    return await importCorrected(deps, by, importId, rows, asks);
  } catch (error) {
    if (error instanceof NotConfirmed) return error.summary;
    throw error;
  }
}

function importCorrected(
  { changeWorkspace, clock }: CorrectRejectsDeps,
  by: ChangeBy,
  importId: string,
  rows: readonly CorrectedRow[],
  asks: boolean,
): Promise<CorrectionSummary> {
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const job = requireCorrectable(await change.imports.find(importId), importId);
    const corrected = new Map(rows.map((row) => [row.rowNumber, row]));
    const kept = await change.imports.rejects(importId, [...corrected.keys()]);
    const tried = kept.flatMap(({ rowNumber, row: { line, cells: now, raw } }) => {
      const correction = corrected.get(rowNumber);
      if (!correction || !isAsSeen(now, correction)) return [];
      // As long as it is rejected, its text tells what is still to be entered.
      const row: SourceRow = { line, cells: correction.cells, ...(raw !== undefined && { raw }) };
      return [{ rowNumber, row, parsed: parseRow(row, job.request) }];
    });
    // Those of all other rows of the file, of which the corrected ones are the last.
    const earlier = new IdSet(await change.imports.clientIds(importId));
    const { clients, touched: _, ...results } = await change.clients.importRows(rightRows(tried), job.request, earlier);
    const { rejections, ...summary } = resultOf(tried, results);
    const gone = corrected.size - tried.length;
    if (asks && hasToBeKnown(summary)) throw new NotConfirmed({ ...summary, gone, rejections, isAsked: true });
    const newGroups = newGroupsIn(results.groupChanges);
    const entry = { id: makeImportId(), clients: clients.length, importId, newGroups };
    change.record('client.imported', `${CORRECTED_ROWS_OF}${job.request.name}`, entry);
    const still = new Set(rejections.map(({ rowNumber }) => rowNumber));
    const imported = tried.map(({ rowNumber }) => rowNumber).filter((rowNumber) => !still.has(rowNumber));
    if (tried.length > 0) await change.imports.correct(job, { ...summary, clients, imported, rejections });
    return { ...summary, gone, rejections, isAsked: false };
  });
}

function hasToBeKnown({ statusChanges, groupChanges, emailChanges, emailsElsewhere }: ImportSummary): boolean {
  const changesClients = statusChanges.length > 0 || groupChanges.moves.length > 0 || emailChanges.rows > 0;
  return changesClients || emailsElsewhere.rows > 0;
}

/** A row that was tried with these cells before is sent again because the answer was lost. */
function isAsSeen(now: Cells, { seen, cells }: CorrectedRow): boolean {
  return [seen, fingerprintOf(cells)].includes(fingerprintOf(now));
}

/** Tells whether a row still has the same cells. The cells themselves may contain what no form accepts. */
export function fingerprintOf(cells: Cells): string {
  const values = COLUMNS.map((column) => cells[column] ?? '');
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

function requireCorrectable(job: ImportJob | undefined, importId: string): ImportJob {
  if (!job) throw unknownImport(importId);
  if (!isOver(job))
    throw new Failure('conflict', 'The import is not over yet. Its rejected rows can be corrected then.');
  if (!job.request.dryRun) return job;
  throw new Failure('conflict', 'The file was only checked. Import it, and correct the rows that are rejected then.');
}
