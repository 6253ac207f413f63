import type { Clock } from './clock.ts';
import { problemWithEmail } from './email.ts';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';
import { requireName } from './name.ts';
import { hashPassword, makePassword } from './password.ts';
import { requirePassword } from './password-rules.ts';
import { fold } from './text.ts';

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

export interface Accounts {
  /** Creates the account, its owner and its two workspaces; a taken email is a `conflict`. */
  create(account: NewAccount): Promise<Account>;
  list(): Promise<Account[]>;
  byOwnerEmail(emailFolded: string): Promise<Account | undefined>;
  workspaceId(accountId: number, environment: Environment): Promise<number>;
}

export async function createAccount(
  deps: { accounts: Accounts; clock: Clock },
  request: { name: string; email: string; password?: string | undefined },
): Promise<{ account: Account; password: string }> {
  const name = requireName(request.name);
  const ownerEmail = request.email.trim();
  const emailProblem = problemWithEmail(ownerEmail);
  if (emailProblem) throw new Failure('bad_parameter', `email ${emailProblem}.`);
  const password = request.password === undefined ? makePassword() : requirePassword(request.password);

  const account = await deps.accounts.create({
    name,
    ownerEmail,
    ownerPasswordHash: await hashPassword(password),
    createdAt: deps.clock.now(),
  });
  return { account, password };
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
