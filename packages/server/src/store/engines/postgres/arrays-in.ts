import { CompiledQuery } from 'kysely';
import type { Reads } from '../engine.ts';

/** The rows of a query within a snapshot, as arrays. The names of its columns must differ. */
export async function arraysIn(db: Reads, text: string, parameters: readonly unknown[]): Promise<unknown[][]> {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, [...parameters]));
  return rows.map((row) => Object.values(row));
}
