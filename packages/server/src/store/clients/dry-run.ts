import { setImmediate as nextTurn } from 'node:timers/promises';
import { IdSet } from '../../domain/clients/id-set.ts';
import type { DryRun } from '../../domain/clients/import-clients.ts';
import type { Engine, Snapshot } from '../engines/engine.ts';
import { decideRows } from './client-batch.ts';
import { openScratchDatabase } from './scratch-database.ts';

/**
 * Decides about rows based on a snapshot of the store and a scratch database with the changes of earlier rows. It takes no
 * lock, so that nobody has to wait for it.
 */
export async function openDryRun(engine: Engine, workspaceId: number): Promise<DryRun> {
  const snapshot = await engine.openSnapshot();
  try {
    return await overSnapshot(engine, snapshot, workspaceId);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function overSnapshot(engine: Engine, snapshot: Snapshot, workspaceId: number): Promise<DryRun> {
  const { db } = snapshot;
  const { last_group_id, last_client_id } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['last_group_id', 'last_client_id'])
    .executeTakeFirstOrThrow();
  let lastIds = { lastGroupId: last_group_id, lastClientId: last_client_id };
  const scratch = openScratchDatabase();
  const earlier = new IdSet();
  const layers = [{ db, engine }, scratch] as const;
  return {
    importRows: async (rows, options) => {
      const { batch, ...results } = await decideRows(layers, workspaceId, rows, {
        ...options,
        ...lastIds,
        earlier,
      });
      scratch.keep(batch.newGroups, batch.changedClients());
      earlier.add(batch.touchedClients());
      lastIds = batch.lastIds;
      // SQLite answers synchronously, so without a pause no other request would be answered until the last row.
      await nextTurn();
      return results;
    },
    close: async () => {
      try {
        await scratch.close();
      } finally {
        await snapshot.close();
      }
    },
  };
}
