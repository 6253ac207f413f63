import { sql, type Transaction } from 'kysely';
import type { KeyUsageStore, UsageCount } from '../../domain/credentials/key-usage.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';

export function openKeyUsage(engine: Engine, keepBooks: KeepBooks): KeyUsageStore {
  const ofWorkspace = (workspaceId: number, sinceHour: number) =>
    engine.reads.selectFrom('key_usage').where('workspace_id', '=', workspaceId).where('hour', '>=', sinceHour);

  return {
    add: (counts) =>
      keepBooks(async (db) => {
        // In the same order on every node, because two nodes that count the same keys could deadlock otherwise.
        for (const count of counts.toSorted(byKey)) {
          await addCalls(db, count);
          await moveLastUse(db, count);
        }
      }),

    ofKeys: async (workspaceId, sinceHour) => {
      const rows = await ofWorkspace(workspaceId, sinceHour)
        .select(({ fn }) => ['key_id', fn.sum('calls').as('calls')])
        .groupBy('key_id')
        .execute();
      return new Map(rows.map((row) => [row.key_id, Number(row.calls)]));
    },

    byHour: async (workspaceId, keyId, sinceHour) => {
      const rows = await ofWorkspace(workspaceId, sinceHour)
        .where('key_id', '=', keyId)
        .select(['hour', 'calls'])
        .execute();
      return new Map(rows.map((row) => [row.hour, row.calls]));
    },

    calls: async (workspaceId, sinceHour) => {
      const { calls } = await ofWorkspace(workspaceId, sinceHour)
        .select(({ fn }) => fn.sum<number | null>('calls').as('calls'))
        .executeTakeFirstOrThrow();
      return Number(calls ?? 0);
    },

    removeBefore: (hour) =>
      keepBooks(async (db) => {
        await db.deleteFrom('key_usage').where('hour', '<', hour).execute();
      }),
  };
}

async function addCalls(db: Transaction<Tables>, { workspaceId, keyId, hour, calls }: UsageCount): Promise<void> {
  await db
    .insertInto('key_usage')
    .values({ workspace_id: workspaceId, key_id: keyId, hour, calls })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'key_id', 'hour'])
        .doUpdateSet({ calls: sql`key_usage.calls + excluded.calls` }),
    )
    .execute();
}

/** Only forward, because another node may already have stored a later use. */
async function moveLastUse(db: Transaction<Tables>, count: UsageCount): Promise<void> {
  const { workspaceId, keyId, lastUsedAt, lastUsedFrom } = count;
  await db
    .updateTable('api_keys')
    .set({ last_used_at: lastUsedAt, ...(lastUsedFrom !== '' && { last_used_from: lastUsedFrom }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', keyId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', lastUsedAt)]))
    .execute();
}

function byKey(a: UsageCount, b: UsageCount): number {
  return a.workspaceId - b.workspaceId || (a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.hour - b.hour);
}
