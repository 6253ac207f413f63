import type { Transaction } from 'kysely';
import { type SearchedFields, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine } from '../engines/engine.ts';
import { lockWorkspace } from '../locks.ts';
import type { Tables } from '../tables.ts';
import { readClients } from './all-clients.ts';

interface WordTarget {
  engine: Engine;
  db: Transaction<Tables>;
}

/** Makes the words of all clients anew. Until it is done, changes to any workspace wait, and are refused after a few seconds. */
export async function rebuildWords({ engine, db }: WordTarget): Promise<void> {
  const workspaces = await db.selectFrom('workspaces').select('id').orderBy('id').execute();
  for (const { id } of workspaces) await lockWorkspace(db, id);
  await engine.words.clear(db);
  for (const { id } of workspaces) {
    for await (const rows of readClients(db, id)) await addWords({ engine, db }, rows);
  }
}

/** Adds the words of clients that have none yet. The rows must be in the order of the primary key. */
export async function addWords(
  { engine, db }: WordTarget,
  rows: readonly (SearchedFields & { workspace_id: number; id: number })[],
): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspace_id)) {
    await engine.words.save(db, workspaceId, newWords(own));
  }
}

function* newWords(rows: readonly (SearchedFields & { id: number })[]) {
  for (const row of rows) yield { clientId: row.id, after: wordsOfClient(row) };
}
