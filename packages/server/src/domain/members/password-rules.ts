import { Failure } from '../failure.ts';
import { isCommonPassword } from './common-passwords.ts';

export const PASSWORD_MIN_LENGTH = 15;
export const PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR = 8;
export const PASSWORD_MAX_LENGTH = 256;

/**
 * The length of a password matters most. With a second factor, a shorter one is allowed. Messages begin with the name of
 * the field that holds the password.
 */
export function requirePassword(
  password: string,
  { withSecondFactor = false, field = 'password' }: { withSecondFactor?: boolean; field?: string } = {},
): void {
  const minimum = withSecondFactor ? PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR : PASSWORD_MIN_LENGTH;
  if (password.length < minimum) {
    throw new Failure('bad_parameter', `${field} must have at least ${minimum} characters.`);
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    throw new Failure('bad_parameter', `${field} must have at most ${PASSWORD_MAX_LENGTH} characters.`);
  }
  if (isCommonPassword(password)) {
    throw new Failure('bad_parameter', `${field} is too common and easy to guess; choose another one.`);
  }
}
