import { CompiledQuery } from 'kysely';
import type { ReadOnlyDatabase } from './engine.ts';

/** Runs a query within a snapshot and returns its rows as arrays. The names of its columns must be unique. */
export async function rowsAsArrays(
  db: ReadOnlyDatabase,
  text: string,
  parameters: readonly unknown[],
): Promise<unknown[][]> {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, [...parameters]));
  return rows.map((row) => Object.values(row));
}
