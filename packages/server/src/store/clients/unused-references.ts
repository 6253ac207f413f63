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
    const taken =
      (await hasAny(db, 'clients', workspaceId, first, last)) ||
      (await hasAny(db, 'erased_clients', workspaceId, first, last));
    if (!taken) return () => formatReferenceId(at, number++);
  }
}

async function hasAny(
  db: ReadOnlyDatabase,
  table: 'clients' | 'erased_clients',
  workspaceId: number,
  first: string,
  last: string,
): Promise<boolean> {
  const found = await db
    .selectFrom(table)
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', '>=', first)
    .where('reference_id', '<=', last)
    .select('reference_id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
