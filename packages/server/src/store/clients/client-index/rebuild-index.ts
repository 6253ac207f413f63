import { sql } from 'kysely';
import type { ClientUnitOfWork } from '../client-unit-of-work.ts';
import { type IndexWrite, saveRuns } from './apply-index-changes.ts';
import { clientCombinations } from './check-index.ts';
import { type FilterCombination, LIST_START, toCombinationValues } from './combination.ts';
import type { IndexLevel, IndexLevels, Run } from './levels.ts';
import { listCondition } from './list-condition.ts';
import { splitRuns, splitSections } from './split-runs.ts';

/** Rebuilds the index of a workspace from its clients. */
export async function rebuildIndex(work: ClientUnitOfWork): Promise<void> {
  const { db, workspaceId, levels } = work;
  work.markChanged();
  await db.deleteFrom('client_runs').where('workspace_id', '=', workspaceId).execute();
  for (const combination of await clientCombinations(db, workspaceId)) await countClients(work, combination, levels);
}

async function countClients(
  write: IndexWrite,
  combination: FilterCombination,
  { runs, sections }: IndexLevels,
): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from clients where ${listCondition(write.workspaceId, combination)}`.execute(write.db);
  const whole: Run = { ...LIST_START, size: rows[0]?.size ?? 0 };
  await saveSplit(write, combination, whole, runs, splitRuns);
  await saveSplit(write, combination, whole, sections, splitSections);
}

async function saveSplit(
  write: IndexWrite,
  combination: FilterCombination,
  whole: Run,
  level: IndexLevel,
  split: typeof splitRuns,
): Promise<void> {
  const oversized = [{ combination, run: whole }];
  const pieces = whole.size > level.maxSize ? (await split(write, oversized, level)).flat() : [whole];
  const list = toCombinationValues(combination);
  const rows = pieces.map(({ createdAt, id, size }) => [...list, createdAt, id, size]);
  await saveRuns(write, level, rows);
}
