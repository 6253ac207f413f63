import type { UpdateObject } from 'kysely';
import type { Profiles } from '../domain/manage-profile.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

export function openProfiles(engine: Engine): Profiles {
  const update = (accountId: number, memberId: number, change: UpdateObject<Tables, 'members'>) =>
    engine.write(async (db) => {
      await db
        .updateTable('members')
        .set(change)
        .where('account_id', '=', accountId)
        .where('id', '=', memberId)
        .execute();
    });

  return {
    setPassword: (accountId, memberId, passwordHash) => update(accountId, memberId, { password_hash: passwordHash }),

    offerSecondFactor: (accountId, memberId, secret) =>
      engine.write(async (db) => {
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

    confirmSecondFactor: (accountId, memberId, step, at) =>
      update(accountId, memberId, { second_factor_at: at, second_factor_step: step }),

    removeSecondFactor: (accountId, memberId) =>
      update(accountId, memberId, { second_factor_secret: null, second_factor_at: null }),
  };
}
