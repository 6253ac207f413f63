import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable, Transaction } from 'kysely';
import { ERASED_REFERENCE } from '../../domain/clients/import-clients.ts';
import type { ImportJob, ImportJobs, NumberedRejection } from '../../domain/clients/import-job.ts';
import { REJECTED_CELL_MAX_LENGTH } from '../../domain/clients/import-state.ts';
import type { KnownPerson } from '../../domain/clients/known-person.ts';
import type { SourceRow } from '../../domain/clients/parse-row.ts';
import { fold, isStorable, problemWithEmail } from '../../domain/text.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';

/** These hold no more than a few megabytes in memory. */
const REJECTS_AT_ONCE = 500;

/** As many lines as a sentence can name. */
const LINES_OF_REASON = 5;

/** The rejected rows after this row number, oldest first. */
export async function readRejects(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  after: number,
  limit = REJECTS_AT_ONCE,
): ReturnType<ImportJobs['rejects']> {
  const rows = await rejectsOf(db, workspaceId, id)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(limit)
    .select(REJECT_COLUMNS)
    .execute();
  return rows.map(toRejection);
}

export async function readRejectReasons(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  limit: number,
): ReturnType<ImportJobs['rejectReasons']> {
  const ofSameReason = rejectsOf(db, workspaceId, id).select(({ fn }) => [
    'reason',
    'line',
    'row_number',
    fn
      .countAll<number>()
      .over((rows) => rows.partitionBy('reason'))
      .as('rows'),
    fn
      .min<number>('row_number')
      .over((rows) => rows.partitionBy('reason'))
      .as('first'),
    fn
      .agg<number>('row_number')
      .over((rows) => rows.partitionBy('reason').orderBy('row_number'))
      .as('place'),
  ]);
  const found = await db
    .selectFrom(ofSameReason.as('rejected'))
    .where('place', '<=', LINES_OF_REASON)
    .select(['reason', 'rows', 'line'])
    .orderBy('first')
    .orderBy('row_number')
    .limit(limit * LINES_OF_REASON)
    .execute();
  return Array.from(
    Map.groupBy(found, ({ reason }) => reason),
    ([reason, first]) => ({ reason, rows: Number(first[0]?.rows), lines: first.map(({ line }) => line) }),
  ).slice(0, limit);
}

export async function readRejectsPage(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  { offset, limit }: { offset: number; limit: number },
): ReturnType<ImportJobs['rejectsPage']> {
  const rows = await rejectsOf(db, workspaceId, id)
    .orderBy('row_number')
    .limit(limit)
    .offset(offset)
    .select(REJECT_COLUMNS)
    .execute();
  const { total } = await rejectsOf(db, workspaceId, id)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rejects: rows.map(toRejection), total: Number(total) };
}

export async function countRejectsBefore(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  rowNumber: number,
): Promise<number> {
  const { count } = await rejectsOf(db, workspaceId, id)
    .where('row_number', '<', rowNumber)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those of the rows that are still rejected. */
export async function findRejects(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  rowNumbers: readonly number[],
): Promise<NumberedRejection[]> {
  const rows = await rejectsOf(db, workspaceId, id)
    .where('row_number', 'in', rowNumbers)
    .orderBy('row_number')
    .select(REJECT_COLUMNS)
    .execute();
  return rows.map(toRejection);
}

export async function deleteRejects(
  db: Transaction<Tables>,
  { workspaceId, id }: ImportJob,
  rowNumbers: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('import_rejects')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('row_number', 'in', rowNumbers)
    .execute();
}

const REJECT_COLUMNS = ['row_number', 'line', 'reason', 'cells'] as const;

function rejectsOf(db: ReadOnlyDatabase, workspaceId: number, id: string) {
  return db.selectFrom('import_rejects').where('workspace_id', '=', workspaceId).where('import_id', '=', id);
}

function toRejection({
  row_number,
  line,
  reason,
  cells,
}: Pick<Selectable<Tables['import_rejects']>, (typeof REJECT_COLUMNS)[number]>): NumberedRejection {
  return { rowNumber: row_number, row: { line, ...JSON.parse(cells) }, reason };
}

export function toReject(
  { workspaceId, id }: ImportJob,
  { rowNumber, row, reason }: NumberedRejection,
): Selectable<Tables['import_rejects']> {
  // What was erased must not come back.
  const isErased = reason === ERASED_REFERENCE;
  const cells = isErased ? { reference_id: row.cells.reference_id ?? '' } : row.cells;
  const { unreadable, raw, surplus }: Partial<SourceRow> = isErased ? {} : row;
  const { email = '' } = row.cells;
  return {
    workspace_id: workspaceId,
    import_id: id,
    row_number: rowNumber,
    line: row.line,
    reason: reason.toWellFormed().replaceAll('\0', ''),
    cells: JSON.stringify({ cells: shortened(cells), unreadable, raw, surplus }),
    // Null if it is not one, or if the text of the row may name others, so that the row is recognised by its text.
    email_folded: raw !== undefined || problemWithEmail(email) ? null : identifier(fold(email)),
    reference_id: identifier(row.cells.reference_id),
    external_id: identifier(row.cells.external_id),
  };
}

/** A wrong cell may have a million characters. The beginning is enough to find it. */
function shortened(cells: SourceRow['cells']): SourceRow['cells'] {
  const entries = Object.entries(cells).map(([column, cell]) => [column, cell.slice(0, REJECTED_CELL_MAX_LENGTH)]);
  return Object.fromEntries(entries);
}

/** Null for what cannot belong to a client. */
function identifier(cell = ''): string | null {
  const id = cell.trim();
  return id !== '' && id.length < REJECTED_CELL_MAX_LENGTH && isStorable(id) ? id : null;
}

/** Erases the rejected rows that are about a client. */
export async function eraseRejects(db: Transaction<Tables>, workspaceId: number, person: KnownPerson): Promise<void> {
  const { referenceId, emails, names, externalIds } = person;
  const erase = (column: 'email_folded' | 'reference_id' | 'external_id', values: readonly string[]) =>
    db
      .deleteFrom('import_rejects')
      .where('workspace_id', '=', workspaceId)
      .where(column, 'in', values.length > 0 ? values : [''])
      .execute();
  await erase('email_folded', emails.map(fold));
  await erase('reference_id', [referenceId]);
  await erase('external_id', externalIds);
  await eraseUnreadable(db, workspaceId, [referenceId, ...emails, ...names, ...externalIds].map(fold));
}

/** Rows without a valid email are recognised by what their text contains, a few at a time, so that others are answered. */
async function eraseUnreadable(db: Transaction<Tables>, workspaceId: number, values: readonly string[]): Promise<void> {
  const jobs = await db
    .selectFrom('import_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('rejected', '>', 0)
    .select('id')
    .execute();
  for (const { id } of jobs) {
    const own = { workspace_id: workspaceId, import_id: id };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows = await db
        .selectFrom('import_rejects')
        .where((row) => row.and(own))
        .where('row_number', '>', after)
        .where('email_folded', 'is', null)
        .orderBy('row_number')
        .limit(REJECTS_AT_ONCE)
        .select(['row_number', 'cells'])
        .execute();
      const theirs = rows.filter(({ cells }) => mentions(cells, values)).map(({ row_number }) => row_number);
      if (theirs.length > 0)
        await db
          .deleteFrom('import_rejects')
          .where((row) => row.and(own))
          .where('row_number', 'in', theirs)
          .execute();
      after = rows.length === REJECTS_AT_ONCE ? rows.at(-1)?.row_number : undefined;
      await nextTurn();
    }
  }
}

function mentions(json: string, values: readonly string[]): boolean {
  const { cells, raw = '', surplus = '' } = JSON.parse(json) as Pick<SourceRow, 'cells' | 'raw' | 'surplus'>;
  const text = fold([...Object.values(cells), raw, surplus].join('\n'));
  return values.some((value) => value !== '' && text.includes(value));
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
