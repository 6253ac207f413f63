import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import type { MemberCredentials } from './credentials.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './password-rules.ts';
import { type SignInAttempts, sourcesOfNewPassword } from './sign-in-attempts.ts';

/** Whose password it is. */
export interface PasswordOwner {
  email: string;
  /** Missing for the owner of an account that does not exist yet. */
  accountId?: number;
  accountName: string;
}

export interface ChoosePasswordDeps {
  credentials: MemberCredentials;
  attempts: SignInAttempts;
  clock: Clock;
}

/** Checks a password that somebody has chosen, and returns its hash. */
export async function hashChosenPassword(
  deps: ChoosePasswordDeps,
  owner: PasswordOwner,
  password: string,
  { field = 'password', withSecondFactor = false } = {},
): Promise<string> {
  requirePassword(password, { field, withSecondFactor });
  if (await isGuessable(password, [owner.email, owner.accountName])) {
    throw new Failure(
      'bad_parameter',
      `${field} is too easy to guess: it resembles a common password, your email or the name of your account.`,
    );
  }
  const { accountId, email } = owner;
  if (accountId !== undefined)
    await deps.attempts.begin(sourcesOfNewPassword(accountId, fold(email)), deps.clock.now());
  return hashPasswordOf(deps, owner, password);
}

/** The hash has the same salt as those of the same email in other accounts. */
export async function hashPasswordOf(
  { credentials }: { credentials: MemberCredentials },
  { email, accountId }: PasswordOwner,
  password: string,
): Promise<string> {
  const others = (await credentials.byEmail(fold(email))).filter(({ member }) => member.accountId !== accountId);
  return hashPassword(password, others[0]?.passwordHash);
}
