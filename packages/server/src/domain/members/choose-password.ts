import { Failure } from '../failure.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './password-rules.ts';

/** Checks a password that somebody has chosen, and returns its hash. The facts are what others know about them. */
export async function hashChosenPassword(
  password: string,
  { field = 'password', withSecondFactor = false, facts }: ChosenPasswordOptions,
): Promise<string> {
  requirePassword(password, { field, withSecondFactor });
  if (await isGuessable(password, facts)) {
    throw new Failure(
      'bad_parameter',
      `${field} is too easy to guess: it resembles a common password, your email or the name of your account.`,
    );
  }
  return hashPassword(password);
}

interface ChosenPasswordOptions {
  field?: string;
  withSecondFactor?: boolean;
  facts: readonly string[];
}
