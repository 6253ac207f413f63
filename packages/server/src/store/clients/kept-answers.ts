import type { Transaction } from 'kysely';
import {
  ANSWER_KEPT_MS,
  type ChangeAnswer,
  type OnceRequest,
  type StoredAnswer,
} from '../../domain/clients/answer-once.ts';
import type { Tables } from '../tables.ts';
import type { KeepBooks, UnitOfWork } from '../unit-of-work.ts';

/** So many are removed in one transaction, so that no other one waits for long. */
const REMOVED_AT_ONCE = 1000;

export interface KeptAnswers {
  /** Removes the answers that were kept for long enough. */
  removeExpired(now: number): Promise<void>;
}

export function openKeptAnswers(keepBooks: KeepBooks): KeptAnswers {
  return {
    removeExpired: async (now) => {
      for (;;) {
        const removed = await keepBooks(async (db) => {
          const expired = await db
            .selectFrom('kept_answers')
            .where('kept_at', '<=', now - ANSWER_KEPT_MS)
            .select(['workspace_id', 'idempotency_key'])
            .limit(REMOVED_AT_ONCE)
            .execute();
          for (const { workspace_id, idempotency_key } of expired) {
            await db
              .deleteFrom('kept_answers')
              .where('workspace_id', '=', workspace_id)
              .where('idempotency_key', '=', idempotency_key)
              .execute();
          }
          return expired.length;
        });
        if (removed < REMOVED_AT_ONCE) return;
      }
    },
  };
}

/** Must be called under the lock of the workspace. */
export async function findAnswer(
  { db, at }: UnitOfWork,
  workspaceId: number,
  key: string,
): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('idempotency_key', '=', key)
    .where('kept_at', '>', at - ANSWER_KEPT_MS)
    .selectAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const { fingerprint, status, headers, body } = row;
  return { fingerprint, answer: body === null ? undefined : { status, headers: JSON.parse(headers), body } };
}

/** Replaces an answer that was kept for long enough and has not been removed yet. */
export async function keepAnswer(
  { db, at }: UnitOfWork,
  workspaceId: number,
  { key, fingerprint }: OnceRequest,
  { answer: { status, headers, body }, clientId = undefined }: ChangeAnswer,
): Promise<void> {
  const answer = {
    fingerprint,
    status,
    headers: JSON.stringify(headers),
    body,
    client_id: clientId ?? null,
    kept_at: at,
  };
  await db
    .insertInto('kept_answers')
    .values({ workspace_id: workspaceId, idempotency_key: key, ...answer })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'idempotency_key']).doUpdateSet(answer))
    .execute();
}

/** Erases what the answers say about a client. That the requests were made is kept, so that they are not made again. */
export async function eraseAnswers(db: Transaction<Tables>, workspaceId: number, clientId: number): Promise<void> {
  await db
    .updateTable('kept_answers')
    .set({ body: null, headers: '[]', fingerprint: '' })
    .where('workspace_id', '=', workspaceId)
    .where('client_id', '=', clientId)
    .execute();
}
