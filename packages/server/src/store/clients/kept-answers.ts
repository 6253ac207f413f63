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
              // Meanwhile, the key may have been used again.
              .where('kept_at', '<=', now - ANSWER_KEPT_MS)
              .execute();
          }
          return expired.length;
        });
        if (removed < REMOVED_AT_ONCE) return;
      }
    },
  };
}

/** Answers by the key of their request, with the time since when they are kept. */
export type KeptByKey = Map<string, StoredAnswer & { keptAt: number }>;

interface KeyedRequest {
  once: OnceRequest | undefined;
  at: number;
}

/** Must be called under the lock of the workspace. */
export async function findAnswers(
  { engine, db }: Pick<UnitOfWork, 'engine' | 'db'>,
  workspaceId: number,
  requests: readonly KeyedRequest[],
): Promise<KeptByKey> {
  const keys = new Set(requests.flatMap(({ once }) => once?.key ?? []));
  if (keys.size === 0) return new Map();
  const rows = await db
    .selectFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('idempotency_key', 'in', engine.listOf([...keys]))
    .selectAll()
    .execute();
  return new Map(
    rows.map(({ idempotency_key, fingerprint, kept_at: keptAt, status, headers, body }) => {
      const answer = body === null ? undefined : { status, headers: JSON.parse(headers), body };
      return [idempotency_key, { fingerprint, answer, keptAt }];
    }),
  );
}

/** The answer to an earlier request with the same key, unless it has been kept for long enough. */
export function storedFor({ once, at }: KeyedRequest, answers: KeptByKey): StoredAnswer | undefined {
  const stored = answers.get(once?.key ?? '');
  return stored && stored.keptAt > at - ANSWER_KEPT_MS ? stored : undefined;
}

/** An answer to keep, and when it was given. */
export interface NewAnswer extends ChangeAnswer {
  once: OnceRequest;
  at: number;
}

/** Replaces answers that were kept for long enough and have not been removed yet. */
export async function keepAnswers(
  { engine, db }: Pick<UnitOfWork, 'engine' | 'db'>,
  workspaceId: number,
  answers: readonly NewAnswer[],
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ once: { key, fingerprint }, at, answer: { status, headers, body }, clientId }) => ({
    workspace_id: workspaceId,
    idempotency_key: key,
    fingerprint,
    status,
    headers: JSON.stringify(headers),
    body,
    client_id: clientId ?? null,
    kept_at: at,
  }));
  await db
    .deleteFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('idempotency_key', 'in', engine.listOf(rows.map((row) => row.idempotency_key)))
    .execute();
  await engine.insertMany(db, 'kept_answers', rows);
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
