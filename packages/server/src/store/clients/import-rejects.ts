import type { Selectable, Transaction } from 'kysely';
import type { ImportJob, ImportJobs, ImportProgress } from '../../domain/clients/import-job.ts';
import type { SourceRow } from '../../domain/clients/parse-row.ts';
import { fold, isStorable } from '../../domain/text.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';

/** These hold no more than a few megabytes in memory. */
const REJECTS_AT_ONCE = 500;

/** As long as the longest identifier of a client. */
const CELL_MAX_LENGTH = 255;

/** The rejected rows after this row number, oldest first. */
export async function readRejects(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  after: number,
  limit = REJECTS_AT_ONCE,
): ReturnType<ImportJobs['rejects']> {
  const rows = await db
    .selectFrom('import_rejects')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(limit)
    .select(['row_number', 'line', 'reason', 'cells'])
    .execute();
  return rows.map(({ row_number, line, reason, cells }) => ({
    rowNumber: row_number,
    row: { line, ...JSON.parse(cells) },
    reason,
  }));
}

export function toReject(
  { workspaceId, id }: ImportJob,
  { rowNumber, row, reason }: ImportProgress['rejections'][number],
): Selectable<Tables['import_rejects']> {
  const { line, cells, unreadable, raw } = row;
  return {
    workspace_id: workspaceId,
    import_id: id,
    row_number: rowNumber,
    line,
    reason: reason.toWellFormed().replaceAll('\0', ''),
    cells: JSON.stringify({ cells: shortened(cells), unreadable, raw }),
    email_folded: identifier(fold(cells.email ?? '')),
    reference_id: identifier(cells.reference_id),
    external_id: identifier(cells.external_id),
  };
}

/** A wrong cell may have a million characters. The beginning is enough to find it. */
function shortened(cells: SourceRow['cells']): SourceRow['cells'] {
  const entries = Object.entries(cells).map(([column, cell]) => [column, cell.slice(0, CELL_MAX_LENGTH)]);
  return Object.fromEntries(entries);
}

/** Null for what cannot belong to a client. */
function identifier(cell = ''): string | null {
  const id = cell.trim();
  return id !== '' && id.length <= CELL_MAX_LENGTH && isStorable(id) ? id : null;
}

/** Erases the rejected rows that are about a client. */
export async function eraseRejects(
  db: Transaction<Tables>,
  client: Pick<Selectable<Tables['clients']>, 'workspace_id' | 'email_folded' | 'reference_id' | 'external_id'>,
): Promise<void> {
  const columns = ['email_folded', 'reference_id', 'external_id'] as const;
  for (const column of columns) {
    if (client[column] === null) continue;
    await db
      .deleteFrom('import_rejects')
      .where('workspace_id', '=', client.workspace_id)
      .where(column, '=', client[column])
      .execute();
  }
  // Whose they are could not be read, so all of them go.
  await db
    .deleteFrom('import_rejects')
    .where('workspace_id', '=', client.workspace_id)
    .where(({ and, eb }) => and(columns.map((column) => eb(column, 'is', null))))
    .execute();
}

/** In several transactions, because there may be millions. */
export async function removeRejects(keepBooks: KeepBooks, workspaceId: number, id: string): Promise<void> {
  for (let removed = REJECTS_AT_ONCE; removed === REJECTS_AT_ONCE; ) {
    removed = await keepBooks(async (db) => {
      const own = { workspace_id: workspaceId, import_id: id };
      const last = await db
        .selectFrom('import_rejects')
        .where((row) => row.and(own))
        .orderBy('row_number')
        .limit(REJECTS_AT_ONCE)
        .select('row_number')
        .execute();
      const until = last.at(-1)?.row_number ?? 0;
      await db
        .deleteFrom('import_rejects')
        .where((row) => row.and(own))
        .where('row_number', '<=', until)
        .execute();
      return last.length;
    });
  }
}
