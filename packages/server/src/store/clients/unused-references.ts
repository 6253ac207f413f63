import { formatReferenceId, randomRangeStart } from '../../domain/clients/reference-id.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';

/**
 * Returns a function that gives references for up to `count` new clients. They were never used in the workspace, not even for
 * a client that was erased. They are consecutive, so that one index look-up covers all of them.
 */
export async function unusedReferences(
  db: ReadOnlyDatabase,
  workspaceId: number,
  at: number,
  count: number,
): Promise<() => string> {
  for (;;) {
    let number = randomRangeStart(count);
    const [first, last] = [formatReferenceId(at, number), formatReferenceId(at, number + count - 1)];
    const taken = await hasAny(db, workspaceId, first, last);
    if (!taken) return () => formatReferenceId(at, number++);
  }
}

/** Whether any of these references belongs to a client, or to one that was erased. */
async function hasAny(db: ReadOnlyDatabase, workspaceId: number, first: string, last: string): Promise<boolean> {
  const within = (table: 'clients' | 'erased_clients') =>
    db
      .selectFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('reference_id', '>=', first)
      .where('reference_id', '<=', last)
      .select('reference_id');
  const found = await within('clients').unionAll(within('erased_clients')).limit(1).executeTakeFirst();
  return found !== undefined;
}
