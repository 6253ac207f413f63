import type { Actor, ChangeInstallation } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { fold, requireEmail, requireName } from '../text.ts';
import { hashChosenPassword } from './choose-password.ts';
import type { Member } from './member.ts';
import { hashPassword, makePassword } from './password.ts';

/** A firm that uses Rollcall. Operators identify it by its owner's email. */
export interface Account {
  id: number;
  name: string;
  ownerEmail: string;
  createdAt: number;
  settings: AccountSettings;
}

/** What the owners of an account decide for all of its members and programs. */
export interface AccountSettings {
  /** Whether a client may only be declined with a reason. An import may do so without one. */
  requiresDeclineReason: boolean;
  /** Whether members without a second factor can do nothing but add one. */
  requiresSecondFactor: boolean;
  viewersMayExport: boolean;
}

/** Changes to the settings within a change to the account. */
export interface SettingsChanges {
  read(): Promise<AccountSettings>;
  save(settings: AccountSettings): Promise<void>;
}

export interface NewAccount {
  name: string;
  ownerEmail: string;
  ownerPasswordHash: string;
  createdAt: number;
}

/** Changes to accounts within a change to the installation. */
export interface AccountCreation {
  /** Creates the account, its owner and its two workspaces. Fails with `conflict` if the email is taken. */
  create(account: NewAccount): Promise<{ account: Account; owner: Member }>;
  /** Whether there is at least one account. */
  exist(): Promise<boolean>;
  /** The ids of all accounts. */
  ids(): Promise<number[]>;
}

export interface Accounts {
  /** Whether there is at least one account. */
  exist(): Promise<boolean>;
  list(): Promise<Account[]>;
  byOwnerEmail(emailFolded: string): Promise<Account | undefined>;
  workspaceId(accountId: number, environment: Environment): Promise<number>;
  settings(accountId: number): Promise<AccountSettings>;
}

export interface CreateAccountDeps {
  changeInstallation: ChangeInstallation<{ accounts: AccountCreation }>;
  clock: Clock;
}

export interface AccountRequest {
  name: string;
  email: string;
  password?: string | undefined;
}

export async function createAccount(
  { changeInstallation, clock }: CreateAccountDeps,
  actor: Actor,
  request: AccountRequest,
): Promise<{ account: Account; password: string }> {
  const at = clock.now();
  const { newAccount, password } = await prepareAccount(request, at);
  return changeInstallation({ actor, at }, async (change) => {
    const { account } = await change.accounts.create(newAccount);
    change.recordInstallation('installation.account-created', `account ${account.id}`);
    change.record(account.id, 'member.set-up', account.ownerEmail);
    return { account, password };
  });
}

/** Checks the request and hashes the password. Hashing is slow on purpose, so it is done before anything is locked. */
export async function prepareAccount(
  request: AccountRequest,
  at: number,
): Promise<{ newAccount: NewAccount; password: string }> {
  const name = requireName(request.name);
  const ownerEmail = requireEmail(request.email);
  const { password = makePassword() } = request;
  const ownerPasswordHash = await (request.password === undefined
    ? hashPassword(password)
    : hashChosenPassword(password, { facts: [name, ownerEmail] }));
  return { newAccount: { name, ownerEmail, ownerPasswordHash, createdAt: at }, password };
}

export async function findAccount(deps: { accounts: Accounts }, email: string): Promise<Account> {
  const account = await deps.accounts.byOwnerEmail(fold(email));
  if (!account) {
    throw new Failure(
      'not_found',
      `There is no account with the owner ${email}. \`rollcall account list\` shows all accounts.`,
    );
  }
  return account;
}

export async function findWorkspace(
  deps: { accounts: Accounts },
  email: string,
  environment: Environment,
): Promise<number> {
  const account = await findAccount(deps, email);
  return deps.accounts.workspaceId(account.id, environment);
}
