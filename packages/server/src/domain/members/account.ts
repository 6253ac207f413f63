import type { Actor, ChangeInstallation } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { fold, problemWithEmail, requireName } from '../text.ts';
import type { Member } from './member.ts';
import { hashPassword, makePassword } from './password.ts';
import { requirePassword } from './password-rules.ts';

/** The firm that uses Rollcall, known to operators by its owner's email. */
export interface Account {
  id: number;
  name: string;
  ownerEmail: string;
  createdAt: number;
}

export interface NewAccount {
  name: string;
  ownerEmail: string;
  ownerPasswordHash: string;
  createdAt: number;
}

/** What a change of the installation may do to accounts. */
export interface AccountCreation {
  /** Creates the account, its owner and its two workspaces; a taken email is a `conflict`. */
  create(account: NewAccount): Promise<{ account: Account; owner: Member }>;
  /** Whether there is any account at all. */
  exist(): Promise<boolean>;
}

export interface Accounts {
  list(): Promise<Account[]>;
  byOwnerEmail(emailFolded: string): Promise<Account | undefined>;
  workspaceId(accountId: number, environment: Environment): Promise<number>;
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
    change.record(account.id, 'member.set-up', account.ownerEmail);
    return { account, password };
  });
}

/** Checks the request and hashes the password, which is slow on purpose and so done before anything is locked. */
export async function prepareAccount(
  request: AccountRequest,
  at: number,
): Promise<{ newAccount: NewAccount; password: string }> {
  const name = requireName(request.name);
  const ownerEmail = request.email.trim();
  const emailProblem = problemWithEmail(ownerEmail);
  if (emailProblem) throw new Failure('bad_parameter', `email ${emailProblem}.`);
  const password = request.password === undefined ? makePassword() : requirePassword(request.password);
  return { newAccount: { name, ownerEmail, ownerPasswordHash: await hashPassword(password), createdAt: at }, password };
}

export async function findAccount(deps: { accounts: Accounts }, email: string): Promise<Account> {
  const account = await deps.accounts.byOwnerEmail(fold(email));
  if (!account) {
    throw new Failure('not_found', `No account has the owner ${email}. \`rollcall account list\` shows all of them.`);
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
