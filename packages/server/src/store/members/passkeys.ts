import type { Selectable } from 'kysely';
import type { Passkey, PasskeyChanges, Passkeys } from '../../domain/members/passkey.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, KeepBooks } from '../unit-of-work.ts';

/** The clock of another node may be behind by so much, and would accept the challenge until then. */
const SLOW_CLOCK_MS = 600_000;

export function openPasskeys(engine: Engine, keepBooks: KeepBooks): Passkeys {
  return {
    find: async (id) => {
      const row = await engine.reads.selectFrom('passkeys').where('id', '=', id).selectAll().executeTakeFirst();
      return row && toPasskey(row);
    },

    list: async (accountId, memberId) => {
      const rows = await engine.reads
        .selectFrom('passkeys')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toPasskey);
    },

    removeExpiredChallenges: (now) =>
      keepBooks(async (db) => {
        await db
          .deleteFrom('answered_challenges')
          .where('expires_at', '<=', now - SLOW_CLOCK_MS)
          .execute();
      }),
  };
}

export function passkeyChangesIn(work: AccountUnitOfWork): PasskeyChanges {
  const { db, accountId, at } = work;
  const countAgain = async (memberId: number) => {
    const rows = await db
      .selectFrom('passkeys')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .select('id')
      .execute();
    await db
      .updateTable('members')
      .set({ passkeys: rows.length })
      .where('account_id', '=', accountId)
      .where('id', '=', memberId)
      .execute();
  };
  const removeOf = (memberId: number) =>
    db.deleteFrom('passkeys').where('account_id', '=', accountId).where('member_id', '=', memberId);

  return {
    list: async (memberId) => {
      const rows = await db
        .selectFrom('passkeys')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .selectAll()
        .execute();
      return rows.map(toPasskey);
    },

    add: async (passkey) => {
      work.markChanged();
      const added = await db
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          account_id: accountId,
          member_id: passkey.memberId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          name: passkey.name,
          created_at: passkey.createdAt,
          used_at: null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      await countAgain(passkey.memberId);
      return added !== undefined;
    },

    use: async ({ id, memberId }, counter) => {
      const used = await db
        .updateTable('passkeys')
        .set({ counter, used_at: at })
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('id', '=', id)
        .where('counter', '<=', counter)
        .returning('id')
        .executeTakeFirst();
      if (used) work.markChanged();
      return used !== undefined;
    },

    remove: async (memberId, id) => {
      work.markChanged();
      const removed = await removeOf(memberId).where('id', '=', id).returningAll().executeTakeFirst();
      await countAgain(memberId);
      return removed && toPasskey(removed);
    },

    removeAll: async (memberId) => {
      work.markChanged();
      await removeOf(memberId).execute();
      await countAgain(memberId);
    },

    answerChallenge: async ({ hash, expiresAt }) => {
      const answered = await db
        .insertInto('answered_challenges')
        .values({ hash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('hash')
        .executeTakeFirst();
      return answered !== undefined;
    },
  };
}

function toPasskey(row: Selectable<Tables['passkeys']>): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    memberId: row.member_id,
    publicKey: row.public_key,
    counter: row.counter,
    name: row.name,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}
