import type { Clock } from '../clock.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { isFailure } from '../failure.ts';
import { callerNetwork } from '../network-address.ts';
import type { Credentials } from './credentials.ts';
import { matchingHashes } from './password.ts';
import type { Attempt, AttemptSource, SignInAttempts } from './sign-in-attempts.ts';

export interface CheckPasswordDeps {
  attempts: SignInAttempts;
  concurrencyLimit: ConcurrencyLimit;
  clock: Clock;
}

/** Members whose attempts are counted together. While these sources have to wait, they are left out. */
export interface CountedMembers<Checked extends Credentials> {
  members: readonly Checked[];
  sources: readonly AttemptSource[];
  /** They are left out while one of the groups before has to wait, too: who has to wait learns nothing about anybody. */
  waitsWithOthers?: boolean;
}

interface PasswordCheck<Checked extends Credentials> {
  groups: readonly CountedMembers<Checked>[];
  password: string;
  address: string;
  /** Whether the right password is all that is needed. */
  isEnough(credentials: Checked): boolean;
}

export interface CheckedPassword<Checked extends Credentials> {
  /** Those of the members who have this password. */
  matching: Checked[];
  /** Its success clears the failures of those only who have this password. */
  attempt: Attempt;
}

/**
 * Checks a password. Counting the attempt and checking the password run as one task of the concurrency limit, so that
 * simultaneous guesses cannot avoid the wait, and many right passwords at the same time do not look like failures. Networks
 * take turns, so that many attempts from one do not keep others from signing in.
 */
export function checkPasswordOf<Checked extends Credentials>(
  deps: CheckPasswordDeps,
  { groups, password, address, isEnough }: PasswordCheck<Checked>,
): Promise<CheckedPassword<Checked>> {
  const check = async () => {
    const { begun, waiting } = await beginAttempts(deps, groups);
    const checked = begun.flatMap(({ members }) => members);
    const hashes = await matchingHashes(
      password,
      checked.map(({ passwordHash }) => passwordHash),
    );
    const matching = checked.filter(({ passwordHash }) => hashes.has(passwordHash));
    if (matching.length === 0 && waiting) throw waiting;
    const attempt = together(begun, matching);
    const [only, another] = matching;
    if (only && !another && isEnough(only)) await ignoringOutages(attempt.succeeded());
    return { matching, attempt };
  };
  return deps.concurrencyLimit.run(check, callerNetwork(address));
}

interface BegunAttempt<Checked> {
  members: readonly Checked[];
  attempt: Attempt;
}

/** Fails if all have to wait. */
async function beginAttempts<Checked extends Credentials>(
  { attempts, clock }: CheckPasswordDeps,
  groups: readonly CountedMembers<Checked>[],
): Promise<{ begun: BegunAttempt<Checked>[]; waiting: unknown }> {
  const begun: BegunAttempt<Checked>[] = [];
  let waiting: unknown;
  for (const { members, sources, waitsWithOthers } of groups) {
    if (waitsWithOthers && waiting) continue;
    try {
      begun.push({ members, attempt: await attempts.begin(sources, clock.now()) });
    } catch (error) {
      if (!isFailure(error, 'rate_limited')) throw error;
      waiting = error;
    }
  }
  if (begun.length === 0) throw waiting;
  return { begun, waiting };
}

/** The attempt does not count for anybody if it succeeds for one, whose failures are cleared. */
function together<Checked>(begun: readonly BegunAttempt<Checked>[], matching: readonly Checked[]): Attempt {
  const isRight = ({ members }: BegunAttempt<Checked>) => members.some((each) => matching.includes(each));
  return {
    succeeded: async () => {
      for (const each of begun) await (isRight(each) ? each.attempt.succeeded() : each.attempt.forgiven());
    },
    forgiven: async () => {
      for (const { attempt } of begun) await attempt.forgiven();
    },
  };
}

/** What was done stays done: if its count cannot be corrected now, the attempt counts as a failed one for an hour. */
export async function ignoringOutages(counting: Promise<void>): Promise<void> {
  try {
    await counting;
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}
