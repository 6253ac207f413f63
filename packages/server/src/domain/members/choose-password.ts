import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import type { MemberCredentials } from './credentials.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword, saltFor, saltOf } from './password.ts';
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

/**
 * The passwords of one email share a salt, so that one calculation compares them in all accounts: otherwise the time would tell
 * how many accounts know the email. Those from before salts were derived have one of their own, which the others then take.
 */
export async function hashPasswordOf(
  { credentials }: { credentials: MemberCredentials },
  { email, accountId }: PasswordOwner,
  password: string,
): Promise<string> {
  const others = (await credentials.byEmail(fold(email))).filter(({ member }) => member.accountId !== accountId);
  const [other] = others;
  const salt = other ? saltOf(other.passwordHash) : saltFor(await credentials.saltKey(), fold(email));
  return hashPassword(password, salt);
}
