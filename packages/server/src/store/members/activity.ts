import { createHash, randomUUID } from 'node:crypto';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { Action } from '../../domain/action.ts';
import type { Actor, EntryDetails } from '../../domain/change.ts';
import type { Environment } from '../../domain/environment.ts';
import type { ActivityLog } from '../../domain/members/activity.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';

export type Entry = Insertable<Tables['activity']>;

export function openActivity(engine: Engine): ActivityLog {
  return {
    read: (accountId, { kind, member }, { offset, limit }) =>
      engine.snapshot(async (db) => {
        let matching = db.selectFrom('activity').where('account_id', '=', accountId);
        if (kind !== undefined) matching = matching.where('action', 'like', `${kind}.%`);
        if (member !== undefined) matching = matching.where('member', '=', member);
        const { total } = await matching
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await matching
          .select(['at', 'member', 'action', 'subject', 'environment', 'address', 'clients'])
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const entries = rows.map((row) => ({
          ...row,
          action: row.action as Action,
          environment: row.environment as Environment | null,
        }));
        return { totalCount: total, entries };
      }),
  };
}

export function newEntry(
  by: { accountId: number; at: number; actor: Actor },
  entry: { action: Action; subject: string; environment: string | null } & EntryDetails,
): Entry {
  return {
    account_id: by.accountId,
    at: by.at,
    id: entry.id === undefined ? nextId() : idOfPart(by, entry, entry.id),
    member: by.actor.name,
    action: entry.action,
    subject: entry.subject,
    environment: entry.environment,
    address: by.actor.address,
    clients: entry.clients ?? null,
  };
}

/** A change in many parts gets a new entry after this time, so that no entry appears under a much earlier time. */
const ENTRY_MS = 600_000;

let lastMicroseconds = 0;

/** The ids of a process are ascending, so that entries with the same time are listed in the order of their creation. */
function nextId(): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastMicroseconds = Math.max(now, lastMicroseconds + 1);
  // Of its digits, the last twelve are random. Node has many of them ready, unlike random bytes.
  return `${lastMicroseconds.toString(36).padStart(11, '0')}${randomUUID().slice(-12)}`;
}

/** Combines only parts by the same actor, with the same subject and soon after each other, even if callers reuse an id. */
function idOfPart(
  by: { at: number; actor: Actor },
  { action, subject, environment }: { action: Action; subject: string; environment: string | null },
  id: string,
): string {
  const parts = [id, Math.floor(by.at / ENTRY_MS), by.actor.name, by.actor.address, action, subject, environment];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24);
}

/** Called in the transaction of the change. A later part is added to the entry of the earlier ones. */
export async function saveEntries(db: Transaction<Tables>, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('activity')
    .values([...entries])
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet({ clients: sql`activity.clients + excluded.clients` }),
    )
    .execute();
}
