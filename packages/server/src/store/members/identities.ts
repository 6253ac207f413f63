import type { Identities, IdentityChanges } from '../../domain/members/identity.ts';
import type { Engine } from '../engines/engine.ts';
import type { AccountUnitOfWork } from '../unit-of-work.ts';

export function openIdentities(engine: Engine): Identities {
  return {
    find: async ({ issuer, subject }) => {
      const rows = await engine.reads
        .selectFrom('member_identities')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .select(['account_id', 'member_id'])
        .orderBy('account_id')
        .execute();
      return rows.map((row) => ({ accountId: row.account_id, memberId: row.member_id }));
    },

    linkedAt: async ({ accountId, memberId }, issuer) => {
      const row = await engine.reads
        .selectFrom('member_identities')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('issuer', '=', issuer)
        .select('created_at')
        .executeTakeFirst();
      return row?.created_at;
    },
  };
}

export function identityChangesIn(work: AccountUnitOfWork): IdentityChanges {
  const { db, accountId, at } = work;
  return {
    add: async (memberId, { issuer, subject }) => {
      const added = await db
        .insertInto('member_identities')
        .values({ issuer, subject, account_id: accountId, member_id: memberId, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('subject')
        .executeTakeFirst();
      if (added) work.markChanged();
      return added !== undefined;
    },
  };
}
