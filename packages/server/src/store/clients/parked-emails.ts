import { sql } from 'kysely';
import type { ClientWork } from './client-work.ts';
import { emailKey, type ImportedClient } from './import-batch.ts';

/**
 * Clients of one batch may hand their emails around, even in a circle, but are written one after the other: whoever
 * takes an email over could come before its owner has let go of it. So those that give one away let go of it first.
 */
export async function parkEmails(
  { engine, db, workspaceId }: ClientWork,
  changed: Iterable<ImportedClient>,
): Promise<void> {
  const ids = [...handedOver(changed)];
  if (ids.length === 0) return;
  await db
    .updateTable('clients')
    // With a space in it, no email is like it.
    .set({ email_folded: sql`'parked ' || id` })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(ids))
    .execute();
}

/** Clients whose email in its group goes to another one that existed before; new ones are written after all others. */
function* handedOver(changed: Iterable<ImportedClient>): Generator<number> {
  const givers = new Map<string, number>();
  const takers = new Set<string>();
  for (const { row, before } of changed) {
    if (!before) continue;
    const [old, wanted] = [keyOf(before), keyOf(row)];
    if (old === wanted) continue;
    givers.set(old, row.id);
    takers.add(wanted);
  }
  for (const [key, id] of givers) if (takers.has(key)) yield id;
}

function keyOf(row: ImportedClient['row']): string {
  return emailKey(row.group_id, row.email_folded);
}
