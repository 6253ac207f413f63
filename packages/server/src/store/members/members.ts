import type { Selectable, Transaction } from 'kysely';
import { AssignedMeanwhile } from '../../domain/clients/index.ts';
import type { Environment } from '../../domain/environment.ts';
import { Failure } from '../../domain/failure.ts';
import type { Credentials, LockedCredentials, MemberCredentials } from '../../domain/members/credentials.ts';
import type { MemberChanges, Members, NewMember } from '../../domain/members/manage-members.ts';
import type { Member, Role } from '../../domain/members/member.ts';
import { fold } from '../../domain/text.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { INSTALLATION_ID } from '../installation.ts';
import { lockMember } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork } from '../unit-of-work.ts';

export function openMembers(engine: Engine): Members {
  return {
    list: async (accountId) => {
      const rows = await engine.reads
        .selectFrom('members')
        .where('account_id', '=', accountId)
        .selectAll()
        .orderBy('id')
        .execute();
      return rows.map(toMember);
    },

    accountName: async (accountId) => {
      const { name } = await engine.reads
        .selectFrom('accounts')
        .where('id', '=', accountId)
        .select('name')
        .executeTakeFirstOrThrow();
      return name;
    },
  };
}

export function memberChangesIn(work: AccountUnitOfWork): MemberChanges {
  const { db, accountId } = work;
  const own = () => db.selectFrom('members').where('account_id', '=', accountId).selectAll();
  return {
    find: async (memberId) => {
      const row = await own().where('id', '=', memberId).executeTakeFirst();
      return row && toMember(row);
    },

    byEmail: async (emailFolded) => {
      const row = await own().where('email_folded', '=', emailFolded).executeTakeFirst();
      return row && toMember(row);
    },

    assignedIn: (memberId) => assignedIn(work, memberId),

    add: (member) => {
      work.markChanged();
      return addMember(db, accountId, member);
    },

    setRole: async (memberId, role) => {
      work.markChanged();
      const row = await db
        .updateTable('members')
        .set({ role })
        .where('account_id', '=', accountId)
        .where('id', '=', memberId)
        .returningAll()
        .executeTakeFirstOrThrow();
      await requireOwner(db, accountId);
      return toMember(row);
    },

    remove: async (memberId) => {
      work.markChanged();
      await lockMember(work, memberId);
      if ((await assignedIn(work, memberId)).length > 0) throw new AssignedMeanwhile();
      await db.deleteFrom('members').where('account_id', '=', accountId).where('id', '=', memberId).execute();
      await requireOwner(db, accountId);
    },
  };
}

export async function addMember(db: Transaction<Tables>, accountId: number, member: NewMember): Promise<Member> {
  const row = await db
    .insertInto('members')
    .values({
      account_id: accountId,
      email: member.email,
      email_folded: fold(member.email),
      email_in_account: `${accountId} ${fold(member.email)}`,
      role: member.role,
      password_hash: member.passwordHash,
      created_at: member.createdAt,
    })
    .onConflict((conflict) => conflict.column('email_in_account').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Failure('conflict', `The email ${member.email} already belongs to a member of this account.`);
  return toMember(row);
}

export function openCredentials(engine: Engine): MemberCredentials {
  return {
    byEmail: async (emailFolded) => {
      const rows = await engine.reads
        .selectFrom('members')
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .where('members.email_folded', '=', emailFolded)
        .selectAll('members')
        .select('accounts.name as account_name')
        .orderBy('members.account_id')
        .execute();
      return rows.map((row) => ({ ...toCredentials(row), accountName: row.account_name }));
    },

    byId: (accountId, memberId) => findCredentials(engine.reads, accountId, memberId),

    saltKey: async () => {
      const row = await engine.reads
        .selectFrom('installation')
        .where('id', '=', INSTALLATION_ID)
        .select('salt_key')
        .executeTakeFirstOrThrow();
      return row.salt_key;
    },
  };
}

export function lockedCredentialsIn({ db, accountId }: AccountUnitOfWork): LockedCredentials {
  return { byId: (memberId) => findCredentials(db, accountId, memberId) };
}

async function findCredentials(
  db: ReadOnlyDatabase,
  accountId: number,
  memberId: number,
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('members')
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .selectAll()
    .executeTakeFirst();
  return row && toCredentials(row);
}

async function assignedIn({ db, accountId }: AccountUnitOfWork, memberId: number): Promise<Environment[]> {
  const rows = await db
    .selectFrom('workspaces')
    .where('account_id', '=', accountId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('client_assignments as assigned')
          .whereRef('assigned.workspace_id', '=', 'workspaces.id')
          .where('assigned.member_id', '=', memberId)
          .select('assigned.client_id'),
      ),
    )
    .select('environment')
    .orderBy('id')
    .execute();
  return rows.map(({ environment }) => environment as Environment);
}

/** Checked within the transaction after the change, which is rolled back if there is no owner left. */
async function requireOwner(db: Transaction<Tables>, accountId: number): Promise<void> {
  const owner = await db
    .selectFrom('members')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .select('id')
    .executeTakeFirst();
  if (!owner) throw new Failure('conflict', 'An account must have an owner. Make another member an owner first.');
}

function toMember(row: Selectable<Tables['members']>): Member {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role as Role,
    hasSecondFactor: row.second_factor_at !== null || row.passkeys > 0,
    createdAt: row.created_at,
  };
}

function toCredentials(row: Selectable<Tables['members']>): Credentials {
  const { second_factor_secret: sealedSecret, second_factor_at: addedAt } = row;
  return {
    member: toMember(row),
    passwordHash: row.password_hash,
    secondFactor: addedAt === null || sealedSecret === null ? null : { sealedSecret, addedAt },
    passkeys: row.passkeys,
  };
}
