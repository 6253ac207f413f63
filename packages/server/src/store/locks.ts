import { sql, type Transaction } from 'kysely';
import { Failure } from '../domain/failure.ts';
import { isActingMember } from '../domain/members/index.ts';
import { INSTALLATION_ID } from './installation.ts';
import type { Tables } from './tables.ts';
import type { Work } from './work.ts';

/**
 * The first statement of every change to a workspace: locks its row, so that changes to one workspace happen one after
 * the other and may read before they write.
 */
export async function lockWorkspace(db: Transaction<Tables>, workspaceId: number) {
  const row = await db
    .updateTable('workspaces')
    .set({ version: sql`version` })
    .where('id', '=', workspaceId)
    .returning(['account_id', 'environment', 'version', 'last_group_id', 'last_client_id'])
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such workspace.');
  return row;
}

/**
 * A member who was signed out or removed, or whose role was changed, while their request was on its way changes nothing. Looked at under
 * the lock, so that no key is made by somebody whose keys have just been revoked.
 */
export async function requireStillMember({ db, actor }: Work): Promise<void> {
  if (!isActingMember(actor)) return;
  let query = db
    .selectFrom('members')
    .where('members.account_id', '=', actor.accountId)
    .where('members.id', '=', actor.memberId)
    .select('members.role');
  if (actor.sessionId !== undefined) {
    query = query
      .innerJoin('sessions', 'sessions.member_id', 'members.id')
      .where('sessions.account_id', '=', actor.accountId)
      .where('sessions.id', '=', actor.sessionId);
  }
  if ((await query.executeTakeFirst())?.role === actor.role) return;
  throw new Failure(
    'forbidden',
    'You were signed out or removed, or your role was changed, while this was on its way. Nothing was changed.',
  );
}

/** The same for an account, whose changes also happen one after the other. */
export async function lockAccount({ db }: Work, accountId: number): Promise<void> {
  const row = await db
    .updateTable('accounts')
    .set({ name: sql`name` })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new Failure('not_found', 'There is no such account.');
}

export async function lockInstallation(db: Transaction<Tables>): Promise<void> {
  await db
    .updateTable('installation')
    .set({ epoch: sql`epoch` })
    .where('id', '=', INSTALLATION_ID)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** The workspace's row as it was when the lock was taken. */
export type LockedWorkspace = Awaited<ReturnType<typeof lockWorkspace>>;
