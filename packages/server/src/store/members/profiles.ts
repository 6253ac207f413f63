import type { UpdateObject } from 'kysely';
import type { CodeChanges } from '../../domain/members/entered-code.ts';
import type { ProfileChanges, Profiles, SecondFactorChanges } from '../../domain/members/manage-profile.ts';
import type { Engine } from '../engines/engine.ts';
import { lockAccount } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, UnitOfWork } from '../unit-of-work.ts';

export function openProfiles(engine: Engine): Profiles {
  return {
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

    countRecoveryCodes: async (accountId, memberId) => {
      const codes = await engine.reads
        .selectFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .select('hash')
        .execute();
      return codes.length;
    },
  };
}

export function secondFactorChangesIn(work: UnitOfWork): SecondFactorChanges {
  const { db } = work;
  return {
    offer: async (accountId, memberId, sealedSecret) => {
      const offered = await db
        .updateTable('members')
        .set({ second_factor_secret: sealedSecret })
        .where('account_id', '=', accountId)
        .where('id', '=', memberId)
        .where('second_factor_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return offered !== undefined;
    },

    removeAll: async () => {
      // Before the members, as in a change to an account.
      const accounts = await db.selectFrom('accounts').select('id').orderBy('id').execute();
      for (const { id } of accounts) await lockAccount(work, id);
      const without = { second_factor_secret: null, second_factor_at: null };
      const members = await db
        .updateTable('members')
        .set(without)
        .where('second_factor_at', 'is not', null)
        .returning(['account_id', 'email'])
        .execute();
      await db.updateTable('members').set(without).where('second_factor_secret', 'is not', null).execute();
      const withoutPasskeys = db.selectFrom('members').where('passkeys', '=', 0).select('id');
      await db.deleteFrom('recovery_codes').where('member_id', 'in', withoutPasskeys).execute();
      return members.map((member) => ({ accountId: member.account_id, email: member.email }));
    },
  };
}

export function profileChangesIn(work: AccountUnitOfWork): ProfileChanges {
  const { db, accountId, at } = work;
  const update = (memberId: number, change: UpdateObject<Tables, 'members'>) => {
    work.markChanged();
    return db.updateTable('members').set(change).where('account_id', '=', accountId).where('id', '=', memberId);
  };
  const removeCodes = (memberId: number) =>
    db.deleteFrom('recovery_codes').where('account_id', '=', accountId).where('member_id', '=', memberId).execute();

  return {
    setPassword: async (memberId, passwordHash) => {
      await update(memberId, { password_hash: passwordHash }).execute();
    },

    confirmSecondFactor: async (memberId, sealedSecret, step) => {
      const confirmed = await update(memberId, { second_factor_at: at, second_factor_step: step })
        .where('second_factor_secret', '=', sealedSecret)
        .where('second_factor_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return confirmed !== undefined;
    },

    removeSecondFactor: async (memberId) => {
      await update(memberId, { second_factor_secret: null, second_factor_at: null }).execute();
    },

    setRecoveryCodes: async (memberId, hashes) => {
      work.markChanged();
      await removeCodes(memberId);
      if (hashes.length === 0) return;
      const rows = hashes.map((hash) => ({ account_id: accountId, member_id: memberId, hash }));
      await db.insertInto('recovery_codes').values(rows).execute();
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

    useRecoveryCode: async (memberId, hash) => {
      const used = await db
        .deleteFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .where('hash', '=', hash)
        .returning('hash')
        .executeTakeFirst();
      if (used) work.markChanged();
      return used !== undefined;
    },
  };
}
