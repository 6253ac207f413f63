import type { Actor, ChangeInstallation } from '../change.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { fold, requireName } from '../text.ts';
import { type ChoosePasswordDeps, hashChosenPassword, hashPasswordOf } from './choose-password.ts';
import type { Member } from './member.ts';
import { requireMemberEmail } from './member-email.ts';
import { makePassword } from './password.ts';

/** A firm that uses Rollcall. Operators name it by its id, or by the email of an owner if that means one account only. */
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
  /** Creates the account, its owner and its two workspaces. */
  create(account: NewAccount): Promise<{ account: Account; owner: Member }>;
  /** Whether there is at least one account. */
  exist(): Promise<boolean>;
  /** The id of the account that has this name and this owner. */
  idOf(name: string, ownerEmailFolded: string): Promise<number | undefined>;
  /** The ids of all accounts. */
  ids(): Promise<number[]>;
}

export interface Accounts {
  /** Whether there is at least one account. */
  exist(): Promise<boolean>;
  list(): Promise<Account[]>;
  byOwnerEmail(emailFolded: string): Promise<Account[]>;
  byId(accountId: number): Promise<Account | undefined>;
  workspaceId(accountId: number, environment: Environment): Promise<number>;
  settings(accountId: number): Promise<AccountSettings>;
}

export interface CreateAccountDeps extends ChoosePasswordDeps {
  changeInstallation: ChangeInstallation<{ accounts: AccountCreation }>;
}

export interface AccountRequest {
  name: string;
  email: string;
  password?: string | undefined;
}

/** Somebody may own several accounts, but not two of the same name: that would be one command that was given twice. */
export async function createAccount(
  deps: CreateAccountDeps,
  actor: Actor,
  request: AccountRequest,
): Promise<{ account: Account; password: string }> {
  const at = deps.clock.now();
  const { newAccount, password } = await prepareAccount(deps, request, at);
  return deps.changeInstallation({ actor, at }, async (change) => {
    const { name, ownerEmail } = newAccount;
    const existing = await change.accounts.idOf(name, fold(ownerEmail));
    if (existing !== undefined) {
      throw new Failure(
        'conflict',
        `${ownerEmail} already owns an account with the name ${name}: its id is ${existing}.`,
      );
    }
    const { account } = await change.accounts.create(newAccount);
    change.recordInstallation('installation.account-created', `account ${account.id}`);
    change.record(account.id, 'member.set-up', account.ownerEmail);
    return { account, password };
  });
}

/** Checks the request and hashes the password. Hashing is slow on purpose, so it is done before anything is locked. */
export async function prepareAccount(
  deps: ChoosePasswordDeps,
  request: AccountRequest,
  at: number,
): Promise<{ newAccount: NewAccount; password: string }> {
  const name = requireName(request.name);
  const ownerEmail = requireMemberEmail(request.email);
  const { password = makePassword() } = request;
  const owner = { email: ownerEmail, accountName: name };
  const ownerPasswordHash = await (request.password === undefined
    ? hashPasswordOf(deps, owner, password)
    : hashChosenPassword(deps, owner, password));
  return { newAccount: { name, ownerEmail, ownerPasswordHash, createdAt: at }, password };
}

/** The account with this id, or the only one that somebody with this email owns. */
export async function findAccount({ accounts }: { accounts: Accounts }, idOrEmail: string): Promise<Account> {
  const byId = /^\d{1,9}$/.test(idOrEmail) ? await accounts.byId(Number(idOrEmail)) : undefined;
  if (byId) return byId;
  const owned = await accounts.byOwnerEmail(fold(idOrEmail));
  const [account, another] = owned;
  if (!account) throw noAccount(idOrEmail);
  // Nothing tells which one is meant: whoever owns an account can make anybody an owner of it.
  if (another) throw severalAccounts(idOrEmail, owned);
  return account;
}

function noAccount(idOrEmail: string): Failure {
  const which = idOrEmail.includes('@') ? `the owner ${idOrEmail}` : `the id ${idOrEmail}`;
  return new Failure('not_found', `There is no account with ${which}. \`rollcall account list\` shows all accounts.`);
}

/** Names the accounts among which an email does not decide. */
export function severalAccounts(email: string, accounts: readonly { id: number; name: string }[]): Failure {
  const names = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
  return new Failure('conflict', `${email} belongs to several accounts: ${names}. Give the id of one with --account.`);
}

export async function findWorkspace(
  deps: { accounts: Accounts },
  idOrEmail: string,
  environment: Environment,
): Promise<number> {
  const account = await findAccount(deps, idOrEmail);
  return deps.accounts.workspaceId(account.id, environment);
}
