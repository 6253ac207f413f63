import { Failure } from '../failure.ts';
import { isCommonPassword } from './common-passwords.ts';

export const PASSWORD_MIN_LENGTH = 15;
export const PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR = 8;
export const PASSWORD_MAX_LENGTH = 256;

/** The length of a password matters most. With a second factor, a shorter one is allowed. */
export function requirePassword(password: string, { withSecondFactor = false } = {}): string {
  const minimum = withSecondFactor ? PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR : PASSWORD_MIN_LENGTH;
  if (password.length < minimum) {
    throw new Failure('bad_parameter', `password must have at least ${minimum} characters.`);
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    throw new Failure('bad_parameter', `password must have at most ${PASSWORD_MAX_LENGTH} characters.`);
  }
  if (isCommonPassword(password)) {
    throw new Failure('bad_parameter', 'password is too common and easy to guess; choose another one.');
  }
  return password;
}
