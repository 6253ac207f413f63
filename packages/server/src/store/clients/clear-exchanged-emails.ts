import { sql } from 'kysely';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { emailKey, type ImportedClient } from './import-batch.ts';

/**
 * Clients of one batch may exchange their emails, even in a circle, but they are written one after the other. A client could
 * get an email before its previous owner has given it up, so all exchanged emails are cleared first.
 */
export async function clearExchangedEmails(
  { engine, db, workspaceId }: ClientUnitOfWork,
  changed: Iterable<ImportedClient>,
): Promise<void> {
  const ids = [...handedOver(changed)];
  if (ids.length === 0) return;
  await db
    .updateTable('clients')
    // No email contains a space.
    .set({ email_folded: sql`'released ' || id` })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(ids))
    .execute();
}

/** The clients whose email goes to another existing client. New clients are written last and do not conflict. */
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
