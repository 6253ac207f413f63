import type { UpdateObject } from 'kysely';
import type { ProfileChanges, Profiles } from '../../domain/members/manage-profile.ts';
import type { CodeChanges } from '../../domain/members/sign-in.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, KeepBooks } from '../unit-of-work.ts';

export function openProfiles(engine: Engine, keepBooks: KeepBooks): Profiles {
  return {
    // Bookkeeping only: the secret has no effect until it is confirmed with a code.
    offerSecondFactor: (accountId, memberId, secret) =>
      keepBooks(async (db) => {
        const offered = await db
          .updateTable('members')
          .set({ second_factor_secret: secret })
          .where('account_id', '=', accountId)
          .where('id', '=', memberId)
          .where('second_factor_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        return offered !== undefined;
      }),

    offeredSecondFactor: async (accountId, memberId) => {
      const row = await engine.reads
        .selectFrom('members')
        .where('account_id', '=', accountId)
        .where('id', '=', memberId)
        .where('second_factor_at', 'is', null)
        .select('second_factor_secret')
        .executeTakeFirst();
      return row?.second_factor_secret ?? undefined;
    },
  };
}

export function profileChangesIn(work: AccountUnitOfWork): ProfileChanges {
  const { db, accountId, at } = work;
  const update = (memberId: number, change: UpdateObject<Tables, 'members'>) => {
    work.markChanged();
    return db.updateTable('members').set(change).where('account_id', '=', accountId).where('id', '=', memberId);
  };

  return {
    setPassword: async (memberId, passwordHash) => {
      await update(memberId, { password_hash: passwordHash }).execute();
    },

    confirmSecondFactor: async (memberId, secret, step) => {
      const confirmed = await update(memberId, { second_factor_at: at, second_factor_step: step })
        .where('second_factor_secret', '=', secret)
        .where('second_factor_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return confirmed !== undefined;
    },

    removeSecondFactor: async (memberId) => {
      await update(memberId, { second_factor_secret: null, second_factor_at: null }).execute();
    },
  };
}

export function codeChangesIn(work: AccountUnitOfWork): CodeChanges {
  const { db, accountId } = work;
  return {
    useStep: async (memberId, step) => {
      const used = await db
        .updateTable('members')
        .set({ second_factor_step: step })
        .where('account_id', '=', accountId)
        .where('id', '=', memberId)
        .where('second_factor_step', '<', step)
        .returning('id')
        .executeTakeFirst();
      if (used) work.markChanged();
      return used !== undefined;
    },
  };
}
