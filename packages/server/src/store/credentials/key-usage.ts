import { sql, type Transaction } from 'kysely';
import type { KeyUsageStore, UsageCount } from '../../domain/credentials/key-usage.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks } from '../unit-of-work.ts';
import { lockKeys } from './lock-keys.ts';

export function openKeyUsage(engine: Engine, keepBooks: KeepBooks): KeyUsageStore {
  const ofWorkspace = (workspaceId: number, sinceHour: number) =>
    engine.reads.selectFrom('key_usage').where('workspace_id', '=', workspaceId).where('hour', '>=', sinceHour);

  return {
    add: async (counts) => {
      if (counts.length > 0) await keepBooks((db) => addCalls(db, counts));
    },

    moveLastUse: async (uses) => {
      if (uses.length > 0) await keepBooks((db) => moveLastUse(engine, db, uses));
    },

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

    hoursOfWorkspace: async (workspaceId, sinceHour) => {
      const rows = await ofWorkspace(workspaceId, sinceHour)
        .select(({ fn }) => [
          'hour',
          fn.sum('calls').as('calls'),
          fn.sum('failed').as('failed'),
          fn.sum('limited').as('limited'),
        ])
        .groupBy('hour')
        .orderBy('hour')
        .execute();
      return rows.map(({ hour, calls, failed, limited }) => {
        return { hour, calls: Number(calls), failed: Number(failed), limited: Number(limited) };
      });
    },

    removeBefore: (hour) =>
      keepBooks(async (db) => {
        await db.deleteFrom('key_usage').where('hour', '<', hour).execute();
      }),
  };
}

/** In the same order on every node, because two nodes that count the same keys could deadlock otherwise. */
async function addCalls(db: Transaction<Tables>, counts: readonly UsageCount[]): Promise<void> {
  const rows = counts.toSorted(byKey).map(({ workspaceId, keyId, hour, calls, failed, limited }) => {
    return { workspace_id: workspaceId, key_id: keyId, hour, calls, failed, limited };
  });
  await db
    .insertInto('key_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'key_id', 'hour']).doUpdateSet({
        calls: sql`key_usage.calls + excluded.calls`,
        failed: sql`key_usage.failed + excluded.failed`,
        limited: sql`key_usage.limited + excluded.limited`,
      }),
    )
    .execute();
}

async function moveLastUse(engine: Engine, db: Transaction<Tables>, uses: readonly UsageCount[]): Promise<void> {
  // The latest use of a key replaces its earlier ones.
  const latest = new Map(uses.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt).map((use) => [use.keyId, use]));
  const last = [...latest.values()];
  // An update locks rows in an order of its own.
  await lockKeys(engine, db, last);
  const rows = last.map(
    ({ workspaceId, keyId, lastUsedAt, lastUsedFrom }) =>
      sql`(cast(${workspaceId} as integer), cast(${keyId} as text), cast(${lastUsedAt} as bigint), cast(${lastUsedFrom} as text))`,
  );
  // Both databases give these names to the columns of a list of values.
  await sql`
    update api_keys
    set last_used_at = used.column3, last_used_from = coalesce(nullif(used.column4, ''), last_used_from)
    from (values ${sql.join(rows)}) as used
    where api_keys.workspace_id = used.column1 and api_keys.id = used.column2
      and (last_used_at is null or last_used_at < used.column3)`.execute(db);
}

function byKey(a: UsageCount, b: UsageCount): number {
  return a.workspaceId - b.workspaceId || (a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.hour - b.hour);
}
