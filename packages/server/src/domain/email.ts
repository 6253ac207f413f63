import { problemWithName } from './text.ts';

export const EMAIL_MAX_LENGTH = 254;

/** Deliberately loose: only what cannot be an address at all is refused, since delivery is the real proof. */
export function problemWithEmail(email: string): string | undefined {
  const problem = problemWithName(email, EMAIL_MAX_LENGTH);
  if (problem) return problem;
  return /^[^\s@]+@[^\s@]+$/u.test(email.trim()) ? undefined : 'must be an email address';
}
