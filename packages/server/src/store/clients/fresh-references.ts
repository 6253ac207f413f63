import { drawNumbers, referenceIdOf } from '../../domain/clients/reference-id.ts';
import type { Reads } from '../engines/engine.ts';

/**
 * References for up to `count` new clients. The workspace has none of them and never had: an erased client's is not given
 * again. They follow each other, so that one look at the index is enough for all.
 */
export async function freshReferences(
  db: Reads,
  workspaceId: number,
  at: number,
  count: number,
): Promise<() => string> {
  for (;;) {
    let number = drawNumbers(count);
    const [first, last] = [referenceIdOf(at, number), referenceIdOf(at, number + count - 1)];
    const taken =
      (await hasAny(db, 'clients', workspaceId, first, last)) ||
      (await hasAny(db, 'erased_clients', workspaceId, first, last));
    if (!taken) return () => referenceIdOf(at, number++);
  }
}

async function hasAny(
  db: Reads,
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
