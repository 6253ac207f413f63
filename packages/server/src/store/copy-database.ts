import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '../domain/failure.ts';
import { fillDatabase } from './change.ts';
import type { Engine, ReadOnlyDatabase, WritingEngine } from './engines/engine.ts';
import { openEngine } from './open-store.ts';
import { requireDatabase } from './require-database.ts';
import { PRIMARY_KEYS, type Tables } from './tables.ts';

export interface CopiedTable {
  table: string;
  rows: number;
  /** SHA-256 over all rows, in the order of the primary key. */
  digest: string;
}

/** Called with the number of rows of a table that have been copied, or checked, so far. */
export type CopyProgress = (step: 'copied' | 'checked', table: string, rows: number) => void;

type TableName = keyof Tables;
type Row = Record<string, unknown>;

const ROWS_AT_ONCE = 5000;
/** These tables describe the database itself and are not copied: a copy has an epoch and a schema of its own. */
const NOT_COPIED: readonly TableName[] = ['installation', 'compatibility'];
const TABLE_NAMES = (Object.keys(PRIMARY_KEYS) as TableName[]).filter((table) => !NOT_COPIED.includes(table));

/** Migrates both databases, so that they have the same tables, and copies all data. */
export async function copyDatabase(fromUrl: string, toUrl: string, progress: CopyProgress): Promise<CopiedTable[]> {
  await requireDatabase(fromUrl, { allKnown: true });
  await requireDatabase(toUrl, { mayCreate: true, allKnown: true });
  const from = openEngine(fromUrl);
  try {
    await from.migrate();
    const to = openEngine(toUrl);
    try {
      await to.migrate();
      return await copyEverything(from, to, progress);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/**
 * Copies one snapshot into an empty database and reads it back to compare. It is one transaction: if the copy fails or
 * differs, the target stays empty.
 */
async function copyEverything(from: Engine, to: WritingEngine, progress: CopyProgress): Promise<CopiedTable[]> {
  const source = await from.openSnapshot();
  try {
    return await fillDatabase(to, async (target) => {
      await requireEmpty(target);
      const copied: CopiedTable[] = [];
      for (const table of TABLE_NAMES) {
        const sent = await digestOf(readAll(source.db, table), async (rows, soFar) => {
          await to.insertMany(target, table, rows as never);
          progress('copied', table, soFar);
        });
        const arrived = await digestOf(readAll(target, table), (_rows, soFar) => progress('checked', table, soFar));
        if (arrived.digest !== sent.digest) {
          throw new Failure('conflict', `The copy of ${table} differs from the original. The target was left empty.`);
        }
        copied.push({ table, ...arrived });
      }
      if (to.dialect === 'postgres') {
        await setSequences(target);
        // Without statistics, the first lists would have bad query plans until the server analyzes the tables by itself.
        await sql`analyze ${sql.join(TABLE_NAMES.map((table) => sql.table(table)))}`.execute(target);
      }
      return copied;
    });
  } finally {
    await source.close();
  }
}

async function requireEmpty(db: ReadOnlyDatabase): Promise<void> {
  for (const table of TABLE_NAMES) {
    for await (const _rows of readAll(db, table)) {
      throw new Failure('conflict', `The target is not empty: ${table} has rows. Nothing was copied.`);
    }
  }
}

/** Reads the rows of a table in batches, in the order of the primary key. */
async function* readAll(db: ReadOnlyDatabase, table: TableName): AsyncGenerator<Row[]> {
  const key: readonly string[] = PRIMARY_KEYS[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const values = sql.join(key.map((column) => last?.[column]));
    const after = last ? sql`where (${columns}) > (${values})` : sql``;
    const page = sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${ROWS_AT_ONCE}`;
    const { rows } = await page.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1);
  }
}

async function digestOf(
  pieces: AsyncIterable<Row[]>,
  use: (rows: Row[], soFar: number) => void | Promise<void>,
): Promise<{ rows: number; digest: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pieces) {
    for (const row of rows) addRow(hash, row);
    count += rows.length;
    await use(rows, count);
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** Sorted by column name, because the order of the columns may differ between engines. */
function addRow(hash: Hash, row: Row): void {
  hash.update(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Sets the sequences, so that new ids continue after the copied ones. */
async function setSequences(db: ReadOnlyDatabase): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  for (const { table, column } of rows) {
    const highest = sql`(select max(${sql.ref(column)}) from ${sql.table(table)})`;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${highest})`.execute(db);
  }
}
