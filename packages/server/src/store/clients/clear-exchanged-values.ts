import { sql } from 'kysely';
import type { ChangedClient } from './client-batch.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { emailKey } from './existing-rows.ts';

type Row = ChangedClient['row'];

/**
 * Clients of one batch may exchange their emails or external ids, even in a circle, but they are written one after the other.
 * A client could get a value before its previous owner has given it up, so all exchanged values are cleared first.
 */
export async function clearExchangedValues(work: ClientUnitOfWork, changed: Iterable<ChangedClient>): Promise<void> {
  const clients = [...changed];
  // No email contains a space.
  await update(work, handedOver(clients, emailOf), { email_folded: sql<string>`'released ' || id` });
  await update(
    work,
    handedOver(clients, (row) => row.external_id),
    { external_id: null },
  );
}

/** The clients whose value goes to another existing client. New clients are written last and do not conflict. */
function handedOver(changed: readonly ChangedClient[], of: (row: Row) => string | null): number[] {
  const givers = new Map<string, number>();
  const takers = new Set<string>();
  for (const { row, before } of changed) {
    if (!before) continue;
    const [old, wanted] = [of(before), of(row)];
    if (old === wanted) continue;
    if (old !== null) givers.set(old, row.id);
    if (wanted !== null) takers.add(wanted);
  }
  return [...givers].filter(([value]) => takers.has(value)).map(([, id]) => id);
}

function emailOf(row: Row): string {
  return emailKey(row.group_id, row.email_folded);
}

async function update(
  { engine, db, workspaceId }: ClientUnitOfWork,
  ids: readonly number[],
  cleared: { email_folded: ReturnType<typeof sql<string>> } | { external_id: null },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('clients')
    .set(cleared)
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(ids))
    .execute();
}
