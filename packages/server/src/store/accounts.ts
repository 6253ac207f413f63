import type { Account, Accounts } from '../domain/account.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { Failure } from '../domain/failure.ts';
import { fold } from '../domain/text.ts';
import type { Engine } from './engines/engine.ts';

export function openAccounts(engine: Engine): Accounts {
  const selectAccounts = () =>
    engine.reads
      .selectFrom('accounts')
      .innerJoin('members', 'members.account_id', 'accounts.id')
      .where('members.role', '=', 'owner')
      .select(['accounts.id', 'accounts.name', 'members.email', 'accounts.created_at'])
      .orderBy('accounts.id')
      .orderBy('members.id');

  return {
    create: (account) =>
      engine.write(async (db) => {
        const emailFolded = fold(account.ownerEmail);
        const taken = await db
          .selectFrom('members')
          .where('email_folded', '=', emailFolded)
          .select('id')
          .executeTakeFirst();
        if (taken) throw new Failure('conflict', `The email ${account.ownerEmail} already belongs to an account.`);

        const { id } = await db
          .insertInto('accounts')
          .values({ name: account.name, created_at: account.createdAt })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('members')
          .values({
            account_id: id,
            email: account.ownerEmail,
            email_folded: emailFolded,
            role: 'owner',
            password_hash: account.ownerPasswordHash,
            created_at: account.createdAt,
          })
          .execute();
        await db
          .insertInto('workspaces')
          .values(ENVIRONMENTS.map((environment) => ({ account_id: id, environment })))
          .execute();
        return { id, name: account.name, ownerEmail: account.ownerEmail, createdAt: account.createdAt };
      }),

    list: async () => (await selectAccounts().execute()).map(toAccount),

    byOwnerEmail: async (emailFolded) => {
      const row = await selectAccounts().where('members.email_folded', '=', emailFolded).executeTakeFirst();
      return row && toAccount(row);
    },

    workspaceId: async (accountId, environment) => {
      const { id } = await engine.reads
        .selectFrom('workspaces')
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .select('id')
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}

function toAccount(row: { id: number; name: string; email: string; created_at: number }): Account {
  return { id: row.id, name: row.name, ownerEmail: row.email, createdAt: row.created_at };
}
