import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import type {
  Account,
  AccountCreation,
  AccountSettings,
  Accounts,
  SettingsChanges,
} from '../../domain/members/account.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { AccountUnitOfWork, UnitOfWork } from '../unit-of-work.ts';
import { addMember } from './members.ts';

export const SETTINGS_COLUMNS = [
  'accounts.requires_decline_reason',
  'accounts.requires_second_factor',
  'accounts.viewers_may_export',
] as const;

interface SettingsRow {
  requires_decline_reason: number;
  requires_second_factor: number;
  viewers_may_export: number;
}

export function openAccounts(engine: Engine): Accounts {
  const selectAccounts = () =>
    engine.reads
      .selectFrom('accounts')
      .innerJoin('members', 'members.account_id', 'accounts.id')
      .where('members.role', '=', 'owner')
      .select(['accounts.id', 'accounts.name', 'members.email', 'accounts.created_at', ...SETTINGS_COLUMNS])
      .orderBy('accounts.id')
      .orderBy('members.id');

  return {
    exist: () => accountsExist(engine.reads),

    list: async () => (await selectAccounts().execute()).map(toAccount),

    byOwnerEmail: async (emailFolded) => {
      const rows = await selectAccounts().where('members.email_folded', '=', emailFolded).execute();
      return rows.map(toAccount);
    },

    byId: async (accountId) => {
      const row = await selectAccounts().where('accounts.id', '=', accountId).executeTakeFirst();
      return row && toAccount(row);
    },

    workspaceId: (accountId, environment) => findWorkspaceId(engine.reads, accountId, environment),

    settings: (accountId) => readSettings(engine.reads, accountId),
  };
}

export function accountCreationIn({ db }: UnitOfWork, created: (accountId: number) => void): AccountCreation {
  return {
    exist: () => accountsExist(db),

    idOf: async (name, ownerEmailFolded) => {
      const row = await db
        .selectFrom('accounts')
        .innerJoin('members', 'members.account_id', 'accounts.id')
        .where('members.role', '=', 'owner')
        .where('members.email_folded', '=', ownerEmailFolded)
        .where('accounts.name', '=', name)
        .select('accounts.id')
        .executeTakeFirst();
      return row?.id;
    },

    ids: async () => (await db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id),

    create: async (account) => {
      const { id } = await db
        .insertInto('accounts')
        .values({ name: account.name, created_at: account.createdAt })
        .returning('id')
        .executeTakeFirstOrThrow();
      created(id);
      await db
        .insertInto('workspaces')
        .values(ENVIRONMENTS.map((environment) => ({ account_id: id, environment })))
        .execute();
      const { name, ownerEmail, ownerPasswordHash, createdAt } = account;
      const owner = { email: ownerEmail, role: 'owner', passwordHash: ownerPasswordHash, createdAt } as const;
      const settings = await readSettings(db, id);
      return { account: { id, name, ownerEmail, createdAt, settings }, owner: await addMember(db, id, owner) };
    },
  };
}

export function settingsChangesIn(work: AccountUnitOfWork): SettingsChanges {
  const { db, accountId } = work;
  return {
    read: () => readSettings(db, accountId),

    save: async ({ requiresDeclineReason, requiresSecondFactor, viewersMayExport }) => {
      work.markChanged();
      await db
        .updateTable('accounts')
        .set({
          requires_decline_reason: Number(requiresDeclineReason),
          requires_second_factor: Number(requiresSecondFactor),
          viewers_may_export: Number(viewersMayExport),
        })
        .where('id', '=', accountId)
        .execute();
    },
  };
}

async function accountsExist(db: ReadOnlyDatabase): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function readSettings(db: ReadOnlyDatabase, accountId: number): Promise<AccountSettings> {
  const row = await db
    .selectFrom('accounts')
    .where('id', '=', accountId)
    .select(SETTINGS_COLUMNS)
    .executeTakeFirstOrThrow();
  return toSettings(row);
}

export async function findWorkspaceId(
  db: ReadOnlyDatabase,
  accountId: number,
  environment: Environment,
): Promise<number> {
  const { id } = await db
    .selectFrom('workspaces')
    .where('account_id', '=', accountId)
    .where('environment', '=', environment)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}

function toAccount(row: { id: number; name: string; email: string; created_at: number } & SettingsRow): Account {
  const { id, name, email: ownerEmail, created_at: createdAt } = row;
  return { id, name, ownerEmail, createdAt, settings: toSettings(row) };
}

export function toSettings(row: SettingsRow): AccountSettings {
  return {
    requiresDeclineReason: row.requires_decline_reason === 1,
    requiresSecondFactor: row.requires_second_factor === 1,
    viewersMayExport: row.viewers_may_export === 1,
  };
}
