import { finished } from 'node:stream/promises';
import { CompiledQuery, type PostgresQueryResult, sql, type Transaction } from 'kysely';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import type { Tables } from '../../tables.ts';
import type { Engine } from '../engine.ts';

/** The rows of one statement stay well below the statement timeout. */
const ROWS_PER_STATEMENT = 1000;

const COPY = 'copy ';

/** Uses `copy`, because the server then need not plan, parse JSON or build every row twice (decision 70). */
export const insertMany: Engine['insertMany'] = (db, table, rows) => copyRows(db, table, [...rows]);

/** All rows must have the same columns. */
export async function copyRows(db: Transaction<Tables>, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { sql: text } = sql`${sql.raw(COPY)}${sql.table(table)} (${names}) from stdin`.compile(db);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const lines = rows.slice(start, start + ROWS_PER_STATEMENT).map((row) => lineOf(Object.values(row)));
    await db.executeQuery(CompiledQuery.raw(text, [lines.join('')]));
  }
}

/** Such a statement has one parameter: its rows as text. */
export function isCopy(text: string): boolean {
  return text.startsWith(COPY);
}

export async function runCopy(
  client: PoolClient,
  text: string,
  [lines]: readonly unknown[],
): Promise<PostgresQueryResult<never>> {
  const stream = client.query(from(text));
  stream.end(lines);
  await finished(stream);
  return { command: 'INSERT', rowCount: stream.rowCount, rows: [] };
}

/** A row in the text format of `copy`. Tabs and line breaks separate columns and rows, so they are escaped in texts. */
function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join('\t')}\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  return typeof value === 'string' ? value.replaceAll(/[\\\t\n\r]/g, escaped) : String(value);
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return ESCAPES[character] ?? character;
}
