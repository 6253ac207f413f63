import { LRUCache } from 'lru-cache';
import { Failure } from '../failure.ts';
import { callerNetwork } from '../network-address.ts';

/** Failures without a wait, because people mistype. After these, every failure doubles the wait. */
const FREE_FAILURES = 5;

/** The wait for an email is short, so that somebody else's guesses do not lock a member out. The wait for a network address may be long. */
const EMAIL_WAIT_MAX_MS = 60_000;
const NETWORK_WAIT_MAX_MS = 900_000;

const FORGET_AFTER_MS = 3_600_000;
/** The maximum number of emails, and of network addresses. The one with the oldest attempt is forgotten first. */
const REMEMBERED_MAX = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  waitUntil: number;
}

/** An attempt, which counts as a failure until its outcome is known. */
export interface Attempt {
  /** The attempt succeeded: clears the failures of the email, and this attempt of the address. */
  succeeded(): void;
  /** The attempt neither succeeded nor failed: it does not count. */
  forgiven(): void;
}

/**
 * Slows down guessing by email and by network address, which for IPv6 is the network of 64 bits. Known and unknown emails
 * are treated alike. An attempt is counted before the password is checked, so that sending many attempts at the same time
 * gives no advantage.
 */
export class SignInAttempts {
  readonly #byEmail = new LRUCache<string, Failures>({ max: REMEMBERED_MAX });
  readonly #byNetwork = new LRUCache<string, Failures>({ max: REMEMBERED_MAX });

  /** Counts the attempt. Throws while the email or the address has to wait. */
  begin(emailFolded: string, address: string, now: number): Attempt {
    const network = callerNetwork(address);
    const until = Math.max(
      this.#byEmail.get(emailFolded)?.waitUntil ?? 0,
      this.#byNetwork.get(network)?.waitUntil ?? 0,
    );
    if (until > now) {
      const seconds = Math.ceil((until - now) / 1000);
      throw new Failure('rate_limited', `Too many failed attempts. Try again in ${seconds} seconds.`, {
        retryAfterSeconds: seconds,
      });
    }
    const byEmail = count(this.#byEmail, emailFolded, now, EMAIL_WAIT_MAX_MS);
    const byNetwork = count(this.#byNetwork, network, now, NETWORK_WAIT_MAX_MS);
    return {
      succeeded: () => {
        this.#byEmail.delete(emailFolded);
        // Only this attempt: an attacker with a valid account must not be able to clear the failures of the address.
        byNetwork.takeBack();
      },
      forgiven: () => {
        byEmail.takeBack();
        byNetwork.takeBack();
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
      // Other attempts were counted since, so their wait stays.
      if (latest !== counted) {
        if (latest) latest.count--;
      } else if (earlier) all.set(name, earlier);
      else all.delete(name);
    },
  };
}
