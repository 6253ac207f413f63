import type { ClientImports, RowChanges } from '../../domain/clients/import-clients.ts';
import type { Engine } from '../engines/engine.ts';
import { decideRows } from './client-batch.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { openDryRun } from './dry-run.ts';
import { writeBatch } from './write-batch.ts';

export function openClientImports(engine: Engine): ClientImports {
  return {
    rowsAtOnce: engine.rowsPerImport,
    openDryRun: (workspaceId) => openDryRun(engine, workspaceId),
  };
}

/** Reads the existing clients of a batch together, decides about each row in memory, and writes all changes together. */
export function rowChangesIn(work: ClientUnitOfWork): RowChanges {
  const { engine, db, workspaceId, at, lastIds } = work;
  return {
    importRows: async (rows, rules, earlier) => {
      work.beginPart();
      const sources = [{ db, engine }] as const;
      const { batch, ...results } = await decideRows(sources, workspaceId, rows, {
        ...rules,
        ...lastIds,
        earlier,
        at,
      });
      if (!batch.isEmpty()) {
        await writeBatch(work, batch);
        await work.endPart();
      }
      return { ...results, clients: batch.importedClients(), touched: batch.touchedClients() };
    },
  };
}
