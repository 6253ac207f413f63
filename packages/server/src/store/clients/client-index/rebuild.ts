import { sql } from 'kysely';
import type { ClientWork } from '../client-work.ts';
import { type IndexWrite, saveRuns } from './apply-changes.ts';
import { type Combination, ORIGIN } from './combination.ts';
import { clientCombinations } from './examine-index.ts';
import type { Level, Levels } from './levels.ts';
import { inList } from './list-conditions.ts';
import type { Run } from './run.ts';
import { cutRuns, cutSections } from './split.ts';

/** Builds the index of a workspace anew from its clients. */
export async function rebuildIndex(work: ClientWork): Promise<void> {
  const { db, workspaceId, levels } = work;
  work.touch();
  await db.deleteFrom('client_runs').where('workspace_id', '=', workspaceId).execute();
  for (const combination of await clientCombinations(db, workspaceId)) await count(work, combination, levels);
}

async function count(write: IndexWrite, combination: Combination, { runs, sections }: Levels): Promise<void> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from clients where ${inList(write.workspaceId, combination)}`.execute(write.db);
  const whole: Run = { ...ORIGIN, size: rows[0]?.size ?? 0 };
  await saveCut(write, combination, whole, runs, cutRuns);
  await saveCut(write, combination, whole, sections, cutSections);
}

async function saveCut(
  write: IndexWrite,
  combination: Combination,
  whole: Run,
  level: Level,
  cut: typeof cutRuns,
): Promise<void> {
  const grown = [{ combination, run: whole }];
  const pieces = whole.size > level.maxSize ? (await cut(write, grown, level)).flat() : [whole];
  const { groupId, requestStatus, clientType } = combination;
  const rows = pieces.map(({ createdAt, id, size }) => [groupId, requestStatus, clientType, createdAt, id, size]);
  await saveRuns(write, level, rows);
}
