import { LRUCache } from 'lru-cache';
import { Failure } from '../failure.ts';

/** Mistyping is human; from then on every failure doubles the wait. */
const FREE_FAILURES = 5;

/** A person is never locked out for long by somebody who guesses at their email; an address may be. */
const EMAIL_WAIT_MAX_MS = 60_000;
const ADDRESS_WAIT_MAX_MS = 900_000;

const FORGET_AFTER_MS = 3_600_000;
/** Emails and addresses, each; the one whose last attempt is the longest ago is forgotten first. */
const REMEMBERED_MAX = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  waitUntil: number;
}

/** One attempt that has been counted as a failure until it turns out to be none. */
export interface Attempt {
  /** It was the right one: the email is forgiven its failures, and the address this attempt. */
  succeeded(): void;
  /** It was neither right nor wrong: nothing is held against anybody. */
  forgiven(): void;
}

/**
 * Slows guessing down, by email and by network address. Known and unknown emails are treated alike. An attempt counts
 * before it is looked at: of many at once, no more are looked at than of as many one after the other.
 */
export class SignInAttempts {
  readonly #byEmail = new LRUCache<string, Failures>({ max: REMEMBERED_MAX });
  readonly #byAddress = new LRUCache<string, Failures>({ max: REMEMBERED_MAX });

  /** Counts the attempt; throws while the email or the address has to wait. */
  begin(emailFolded: string, address: string, now: number): Attempt {
    const until = Math.max(
      this.#byEmail.get(emailFolded)?.waitUntil ?? 0,
      this.#byAddress.get(address)?.waitUntil ?? 0,
    );
    if (until > now) {
      const seconds = Math.ceil((until - now) / 1000);
      throw new Failure('rate_limited', `Too many failed attempts. Try again in ${seconds} seconds.`, {
        retryAfterSeconds: seconds,
      });
    }
    const byEmail = count(this.#byEmail, emailFolded, now, EMAIL_WAIT_MAX_MS);
    const byAddress = count(this.#byAddress, address, now, ADDRESS_WAIT_MAX_MS);
    return {
      succeeded: () => {
        this.#byEmail.delete(emailFolded);
        // One attempt only: an attacker with one good account must not reset the address for guessing at others.
        byAddress.takeBack();
      },
      forgiven: () => {
        byEmail.takeBack();
        byAddress.takeBack();
      },
    };
  }
}

function count(all: LRUCache<string, Failures>, name: string, now: number, waitMaxMs: number): { takeBack(): void } {
  const earlier = all.get(name);
  const failures = earlier && now - earlier.lastAt < FORGET_AFTER_MS ? earlier.count + 1 : 1;
  const excess = failures - FREE_FAILURES;
  const waitMs = excess <= 0 ? 0 : Math.min(waitMaxMs, 1000 * 2 ** Math.min(excess, 20));
  const counted = { count: failures, lastAt: now, waitUntil: now + waitMs };
  all.set(name, counted);
  return {
    takeBack: () => {
      const latest = all.get(name);
      // Others may have been counted since; what they have to wait for is theirs.
      if (latest !== counted) {
        if (latest) latest.count--;
      } else if (earlier) all.set(name, earlier);
      else all.delete(name);
    },
  };
}
