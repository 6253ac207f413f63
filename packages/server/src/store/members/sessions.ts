import type { Selectable } from 'kysely';
import type { Role } from '../../domain/members/member.ts';
import type { Session, SessionChanges, Sessions } from '../../domain/members/session.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, KeepBooks } from '../unit-of-work.ts';
import { SETTINGS_COLUMNS, toSettings } from './accounts.ts';

export function openSessions(engine: Engine, keepBooks: KeepBooks): Sessions {
  return {
    find: async (hash) => {
      const row = await engine.reads
        .selectFrom('sessions')
        .innerJoin('members', 'members.id', 'sessions.member_id')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .where('sessions.hash', '=', hash)
        .selectAll('sessions')
        .select([
          'members.email',
          'members.role',
          'members.second_factor_at',
          'members.passkeys',
          'accounts.name as account_name',
        ])
        .select(SETTINGS_COLUMNS)
        .executeTakeFirst();
      if (!row) return undefined;
      return {
        ...toSession(row),
        email: row.email,
        role: row.role as Role,
        accountName: row.account_name,
        hasSecondFactor: row.second_factor_at !== null || row.passkeys > 0,
        hasPasskey: row.passkeys > 0,
        settings: toSettings(row),
        tokenHash: row.hash,
      };
    },

    list: async (accountId, memberId) => {
      const rows = await engine.reads
        .selectFrom('sessions')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .selectAll()
        .orderBy('seen_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toSession);
    },

    seen: (sessionId, at) =>
      keepBooks(async (db) => {
        await db.updateTable('sessions').set({ seen_at: at }).where('id', '=', sessionId).execute();
      }),

    removeExpired: (idleSince, createdBefore) =>
      keepBooks(async (db) => {
        await db
          .deleteFrom('sessions')
          .where((or) => or.or([or('seen_at', '<', idleSince), or('created_at', '<', createdBefore)]))
          .execute();
      }),
  };
}

export function sessionChangesIn(work: AccountUnitOfWork): SessionChanges {
  const { db, accountId } = work;
  const deleteOf = (memberId: number) =>
    db.deleteFrom('sessions').where('account_id', '=', accountId).where('member_id', '=', memberId);
  const remove = (memberId: number) => {
    work.markChanged();
    return deleteOf(memberId);
  };

  return {
    open: async (session, hash) => {
      work.markChanged();
      await db
        .insertInto('sessions')
        .values({
          account_id: accountId,
          member_id: session.memberId,
          id: session.id,
          hash,
          created_at: session.createdAt,
          proved_at: session.provedAt,
          seen_at: session.seenAt,
          address: session.address,
          agent: session.agent,
        })
        .execute();
    },

    isOpen: async (memberId, sessionId) => {
      const row = await db
        .selectFrom('sessions')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('id', '=', sessionId)
        .select('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    prove: async (memberId, { id, tokenHash }, newHash) => {
      work.markChanged();
      const prove = db
        .updateTable('sessions')
        .set({ proved_at: work.at })
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('id', '=', id);
      const replace = prove.set({ hash: newHash }).where('hash', '=', tokenHash);
      const { numUpdatedRows } = await replace.executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return true;
      await prove.execute();
      return false;
    },

    end: async (memberId, sessionId) => {
      const ended = await deleteOf(memberId).where('id', '=', sessionId).returning('id').executeTakeFirst();
      if (ended) work.markChanged();
      return ended !== undefined;
    },

    endAll: async (memberId) => {
      await remove(memberId).execute();
    },

    endOthers: async (memberId, keptId) => {
      await remove(memberId).where('id', '!=', keptId).execute();
    },
  };
}

function toSession(row: Selectable<Tables['sessions']>): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    memberId: row.member_id,
    createdAt: row.created_at,
    provedAt: row.proved_at,
    seenAt: row.seen_at,
    address: row.address,
    agent: row.agent,
  };
}
