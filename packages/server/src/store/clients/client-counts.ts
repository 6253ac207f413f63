import type { ClientCounts } from '../../domain/clients/client-counts.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { ANY } from './client-index/combination.ts';
import { INDEX_LEVELS } from './client-index/levels.ts';

const [RUNS, SECTIONS] = [INDEX_LEVELS.runs.number, INDEX_LEVELS.sections.number];

export function openClientCounts(engine: Engine): ClientCounts {
  return {
    groups: async (workspaceId) => {
      const { groups } = await engine.reads
        .selectFrom('groups')
        .where('workspace_id', '=', workspaceId)
        .select(({ fn }) => fn.countAll<number>().as('groups'))
        .executeTakeFirstOrThrow();
      return Number(groups);
    },

    createdBetween: (workspaceId, times) =>
      engine.snapshot(async (db) => {
        const before: number[] = [];
        for (const time of times) before.push(await countBefore(db, workspaceId, time));
        return before.slice(1).map((count, index) => count - (before[index] ?? 0));
      }),
  };
}

/** From the counted index: adds up whole sections, then whole runs of the next section, and then counts the clients of the next run. */
async function countBefore(db: ReadOnlyDatabase, workspaceId: number, time: number): Promise<number> {
  const section = await lastStart(db, workspaceId, SECTIONS, time);
  const run = await lastStart(db, workspaceId, RUNS, time);
  if (!section || !run) return 0;
  const sections = await sumOfSizes(db, workspaceId, SECTIONS, { until: section });
  const runs = await sumOfSizes(db, workspaceId, RUNS, { from: section, until: run });
  const { rest } = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>=', tuple(run.created_at, run.id)))
    .where('created_at', '<', time)
    .select(({ fn }) => fn.countAll<number>().as('rest'))
    .executeTakeFirstOrThrow();
  return sections + runs + rest;
}

interface Start {
  created_at: number;
  id: number;
}

function segments(db: ReadOnlyDatabase, workspaceId: number, level: number) {
  return db
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', '=', level)
    .where('group_id', '=', ANY)
    .where('request_status', '=', ANY)
    .where('client_type', '=', ANY)
    .where('client_status', '=', ANY);
}

function lastStart(db: ReadOnlyDatabase, workspaceId: number, level: number, time: number): Promise<Start | undefined> {
  return segments(db, workspaceId, level)
    .where('created_at', '<', time)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(['created_at', 'id'])
    .limit(1)
    .executeTakeFirst();
}

async function sumOfSizes(
  db: ReadOnlyDatabase,
  workspaceId: number,
  level: number,
  { from = { created_at: 0, id: 0 }, until }: { from?: Start; until: Start },
): Promise<number> {
  const { sum } = await segments(db, workspaceId, level)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>=', tuple(from.created_at, from.id)))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(until.created_at, until.id)))
    .select(({ fn }) => fn.sum<number | null>('size').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}
