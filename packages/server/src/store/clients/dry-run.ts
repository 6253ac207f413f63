import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DryRun } from '../../domain/clients/import-clients.ts';
import type { Engine, Snapshot } from '../engines/engine.ts';
import { decideRows } from './decide-rows.ts';
import { openScratch } from './scratch.ts';

/**
 * Decides over the store as it is at one moment, and over a scratch of what its earlier rows would have changed. Nobody
 * waits for it: it takes no lock, and the scratch is its own.
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
  let numbers = { lastGroupId: last_group_id, lastClientId: last_client_id };
  const scratch = openScratch();
  const layers = [{ db, listOf: engine.listOf }, scratch] as const;
  return {
    importRows: async (rows, { at }) => {
      const { batch, outcomes } = await decideRows(layers, workspaceId, rows, { ...numbers, at });
      scratch.keep(batch.newGroups, batch.changedClients());
      numbers = batch.numbers;
      // SQLite answers at once, so that without a pause nothing else would be answered until the last row.
      await nextTurn();
      return outcomes;
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
