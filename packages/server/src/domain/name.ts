import { Failure } from './failure.ts';
import { problemWithName } from './text.ts';

/** Of accounts and of keys. */
export const NAME_MAX_LENGTH = 120;

export function requireName(name: string): string {
  const problem = problemWithName(name, NAME_MAX_LENGTH);
  if (problem) throw new Failure('bad_parameter', `name ${problem}.`);
  return name.trim();
}
