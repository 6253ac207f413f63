import { sql, type Transaction } from 'kysely';
import type { ChangeContext } from '../domain/change.ts';
import { isActingKey } from '../domain/credentials/index.ts';
import { Failure } from '../domain/failure.ts';
import { type ChainHead, isActingMember, isAtLeast, type Role } from '../domain/members/index.ts';
import { INSTALLATION_ID } from './installation.ts';
import type { Tables } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';

const CHAIN_COLUMNS = ['activity_count', 'activity_hash'] as const;

/** The end of the chain of activity entries, as the row that it belongs to has it. */
export function headOf(row: { activity_count: number; activity_hash: string }): ChainHead {
  return { count: row.activity_count, hash: row.activity_hash };
}

/**
 * The first statement of every change to a workspace. It locks the row of the workspace, so that changes to it run one after
 * the other and may read before they write.
 */
export async function lockWorkspace(db: Transaction<Tables>, workspaceId: number) {
  const row = await db
    .updateTable('workspaces')
    .set({ version: sql`version` })
    .where('id', '=', workspaceId)
    .returning([
      ...(['account_id', 'environment', 'version', 'last_group_id', 'last_client_id'] as const),
      ...CHAIN_COLUMNS,
    ])
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such workspace.');
  return row;
}

/**
 * Refuses the change of a member who was signed out or removed, or whose role was reduced, since the request arrived. This is
 * checked under the lock, so that nobody can create a key just after their keys were revoked.
 */
export async function requireStillMember({ db, actor }: UnitOfWork): Promise<void> {
  if (!isActingMember(actor)) return;
  let query = db
    .selectFrom('members')
    .where('members.account_id', '=', actor.accountId)
    .where('members.id', '=', actor.memberId)
    // On SQLite, a new member may get the id of one who was removed.
    .where('members.email', '=', actor.name)
    .select('members.role');
  if (actor.sessionId !== undefined) {
    query = query
      .innerJoin('sessions', 'sessions.member_id', 'members.id')
      .where('sessions.account_id', '=', actor.accountId)
      .where('sessions.id', '=', actor.sessionId);
  }
  const member = await query.executeTakeFirst();
  if (member && isAtLeast(member.role as Role, actor.role)) return;
  throw new Failure(
    'forbidden',
    'Nothing was changed, because you were signed out or removed, or your role was changed, in the meantime.',
  );
}

/**
 * Refuses the change of a program whose API key, or the secret that its token was made from, has ended since the request
 * arrived. Changes to keys take the same lock, so nothing is changed with a key after its end was answered.
 */
export async function requireLiveKey(work: UnitOfWork, workspaceId: number): Promise<void> {
  await liveKeys(work.db, workspaceId)(work);
}

/** The same for several changes of one transaction that do not change keys. Each key is read once. */
export function liveKeys(db: Transaction<Tables>, workspaceId: number) {
  const known = new Map<string, ReturnType<typeof readKey>>();
  return async ({ actor, at }: ChangeContext): Promise<void> => {
    if (!isActingKey(actor)) return;
    const { keyId, secretNumber } = actor;
    const reading = known.get(`${keyId} ${secretNumber}`) ?? readKey(db, workspaceId, keyId, secretNumber);
    known.set(`${keyId} ${secretNumber}`, reading);
    const key = await reading;
    const isOver = (time: number | null) => time !== null && time <= at;
    if (key && key.revoked_at === null && key.ended_at === null && !isOver(key.expires_at) && !isOver(key.ends_at))
      return;
    throw new Failure('invalid_access_token', 'Access token has been revoked.');
  };
}

function readKey(db: Transaction<Tables>, workspaceId: number, keyId: string, secretNumber: number) {
  return db
    .selectFrom('api_keys')
    .innerJoin('api_key_secrets', (join) =>
      join
        .onRef('api_key_secrets.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('api_key_secrets.key_id', '=', 'api_keys.id'),
    )
    .where('api_keys.workspace_id', '=', workspaceId)
    .where('api_keys.id', '=', keyId)
    .where('api_key_secrets.number', '=', secretNumber)
    .select(['api_keys.revoked_at', 'api_keys.expires_at', 'api_key_secrets.ends_at', 'api_key_secrets.ended_at'])
    .executeTakeFirst();
}

/** Locks an account in the same way. Returns the end of its chain of activity entries. */
export async function lockAccount({ db }: UnitOfWork, accountId: number): Promise<ChainHead> {
  const row = await db
    .updateTable('accounts')
    .set({ name: sql`name` })
    .where('id', '=', accountId)
    .returning(CHAIN_COLUMNS)
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such account.');
  return headOf(row);
}

export async function lockInstallation(db: Transaction<Tables>): Promise<ChainHead> {
  const row = await db
    .updateTable('installation')
    .set({ epoch: sql`epoch` })
    .where('id', '=', INSTALLATION_ID)
    .returning(CHAIN_COLUMNS)
    .executeTakeFirstOrThrow();
  return headOf(row);
}

/**
 * Keeps members from being removed until the end of the change. Several changes may keep the same members, in any order, and
 * none of them waits for another. SQLite has one writer at a time and no locks of rows.
 */
export async function keepMembers(
  { engine, db }: Pick<UnitOfWork, 'engine' | 'db'>,
  memberIds: readonly number[],
): Promise<void> {
  if (engine.dialect !== 'postgres' || memberIds.length === 0) return;
  await db.selectFrom('members').where('id', 'in', engine.listOf(memberIds)).select('id').forKeyShare().execute();
}

/** Waits for all changes that keep the member. Nothing is locked after it, except for what only belongs to the member. */
export async function lockMember({ engine, db }: UnitOfWork, memberId: number): Promise<void> {
  if (engine.dialect !== 'postgres') return;
  await db.selectFrom('members').where('id', '=', memberId).select('id').forUpdate().execute();
}

/** The row of the workspace when the lock was taken. */
export type LockedWorkspace = Awaited<ReturnType<typeof lockWorkspace>>;
