import type { ImportedClient } from '../../domain/clients/import-clients.ts';
import type { ClientOfImport, ImportJob } from '../../domain/clients/import-job.ts';
import { CLIENTS_KEPT_MAX } from '../../domain/clients/import-state.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import { toClient } from './client-rows.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';

/**
 * Keeps which clients rows of an import have added or changed, each once. `rowsBefore` is how many rows had done so before: at
 * least as many as there are kept clients, which need not be counted therefore.
 */
export async function keepClients(
  { engine, db, workspaceId }: ClientUnitOfWork,
  { id }: ImportJob,
  clients: readonly ImportedClient[],
  rowsBefore: number,
): Promise<void> {
  const room = Math.max(0, CLIENTS_KEPT_MAX - rowsBefore);
  // A client that was added stays one that was added, whatever later rows do to it.
  const added = new Map(
    clients
      .slice(0, room)
      .toReversed()
      .map((each) => [each.id, each.isAdded]),
  );
  if (added.size === 0) return;
  const kept = await db
    .selectFrom('import_clients')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('client_id', 'in', engine.listOf([...added.keys()]))
    .select('client_id')
    .execute();
  for (const { client_id } of kept) added.delete(client_id);
  const rows = Array.from(added, ([clientId, isAdded]) => ({
    workspace_id: workspaceId,
    import_id: id,
    client_id: clientId,
    is_added: isAdded ? 1 : 0,
  }));
  if (rows.length > 0) await engine.insertMany(db, 'import_clients', rows);
}

/** Of all that are kept, which are not many. */
export async function readClientIdsOf(db: ReadOnlyDatabase, workspaceId: number, id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('import_clients')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .select('client_id')
    .execute();
  return rows.map((row) => row.client_id);
}

export async function countClientsOf(db: ReadOnlyDatabase, workspaceId: number, id: string): Promise<number> {
  const { count } = await existingClientsOf(db, workspaceId, id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function readClientsOf(
  db: ReadOnlyDatabase,
  workspaceId: number,
  id: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<ClientOfImport[]> {
  const rows = await existingClientsOf(db, workspaceId, id)
    .crossJoin('groups')
    .whereRef('groups.workspace_id', '=', 'clients.workspace_id')
    .whereRef('groups.id', '=', 'clients.group_id')
    .orderBy('kept.client_id')
    .limit(limit)
    .offset(offset)
    .selectAll('clients')
    .select(['groups.name as group_name', 'groups.token as group_token', 'kept.is_added'])
    .execute();
  return rows.map(({ is_added, ...row }) => ({ client: toClient(row), isAdded: is_added === 1 }));
}

/** The kept clients of an import without those that were erased since. SQLite executes a cross join in the order in which it is written. */
function existingClientsOf(db: ReadOnlyDatabase, workspaceId: number, id: string) {
  return db
    .selectFrom('import_clients as kept')
    .crossJoin('clients')
    .where('kept.workspace_id', '=', workspaceId)
    .where('kept.import_id', '=', id)
    .whereRef('clients.workspace_id', '=', 'kept.workspace_id')
    .whereRef('clients.id', '=', 'kept.client_id');
}
