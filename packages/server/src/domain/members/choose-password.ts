import { Failure } from '../failure.ts';
import { fold } from '../text.ts';
import type { MemberCredentials } from './credentials.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './password-rules.ts';

/** Whose password it is. */
export interface PasswordOwner {
  email: string;
  /** Missing for the owner of an account that does not exist yet. */
  accountId?: number;
  accountName: string;
}

/** Checks a password that somebody has chosen, and returns its hash. */
export async function hashChosenPassword(
  deps: { credentials: MemberCredentials },
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
