import { Failure } from '../failure.ts';
import { requireEmail } from '../text.ts';

/** Two members whose emails look the same could be mistaken for each other. */
export function requireMemberEmail(text: string): string {
  const email = requireEmail(text);
  if (/\p{Cf}/u.test(email)) throw new Failure('bad_parameter', 'email must not contain invisible characters.');
  return email;
}
