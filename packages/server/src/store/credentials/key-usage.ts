import { sql } from 'kysely';
import type { KeyUsageStore, UsageCount } from '../../domain/credentials/key-usage.ts';
import type { Engine } from '../engines/engine.ts';
import type { KeepBooks } from '../unit-of-work.ts';

export function openKeyUsage(engine: Engine, keepBooks: KeepBooks): KeyUsageStore {
  return {
    add: (counts) =>
      keepBooks(async (db) => {
        // In the same order on every node, because two nodes that count the same keys could deadlock otherwise.
        for (const { workspaceId, keyId, day, calls, lastUsedAt } of counts.toSorted(byKey)) {
          await db
            .insertInto('key_usage')
            .values({ workspace_id: workspaceId, key_id: keyId, day, calls, last_used_at: lastUsedAt })
            .onConflict((conflict) =>
              conflict.columns(['workspace_id', 'key_id', 'day']).doUpdateSet({
                calls: sql`key_usage.calls + excluded.calls`,
                last_used_at: sql`case when excluded.last_used_at > key_usage.last_used_at
                  then excluded.last_used_at else key_usage.last_used_at end`,
              }),
            )
            .execute();
        }
      }),

    ofKeys: async (workspaceId, sinceDay) => {
      const rows = await engine.reads
        .selectFrom('key_usage')
        .where('workspace_id', '=', workspaceId)
        .select(({ fn }) => [
          'key_id',
          fn.max('last_used_at').as('last_used_at'),
          sql<number>`sum(case when day >= ${sinceDay} then calls else 0 end)`.as('calls'),
        ])
        .groupBy('key_id')
        .execute();
      return new Map(rows.map((row) => [row.key_id, { calls: Number(row.calls), lastUsedAt: row.last_used_at }]));
    },

    calls: async (workspaceId, sinceDay) => {
      const { calls } = await engine.reads
        .selectFrom('key_usage')
        .where('workspace_id', '=', workspaceId)
        .where('day', '>=', sinceDay)
        .select(({ fn }) => fn.sum<number | null>('calls').as('calls'))
        .executeTakeFirstOrThrow();
      return Number(calls ?? 0);
    },
  };
}

function byKey(a: UsageCount, b: UsageCount): number {
  return a.workspaceId - b.workspaceId || (a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.day - b.day);
}
