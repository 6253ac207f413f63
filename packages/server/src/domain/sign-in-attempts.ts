import { Failure } from './failure.ts';

/** Mistyping is human; from then on every failure doubles the wait. */
const FREE_FAILURES = 5;

/** A person is never locked out for long by somebody who guesses at their email; an address may be. */
const EMAIL_WAIT_MAX_MS = 60_000;
const ADDRESS_WAIT_MAX_MS = 900_000;

const FORGET_AFTER_MS = 3_600_000;
const REMEMBERED_MAX = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  waitUntil: number;
}

/** Slows guessing down, by email and by network address. Known and unknown emails are treated alike. */
export class SignInAttempts {
  readonly #byEmail = new Map<string, Failures>();
  readonly #byAddress = new Map<string, Failures>();

  /** Throws while the email or the address has to wait. */
  admit(emailFolded: string, address: string, now: number): void {
    const until = Math.max(
      this.#byEmail.get(emailFolded)?.waitUntil ?? 0,
      this.#byAddress.get(address)?.waitUntil ?? 0,
    );
    if (until <= now) return;
    const seconds = Math.ceil((until - now) / 1000);
    throw new Failure('rate_limited', `Too many failed attempts. Try again in ${seconds} seconds.`);
  }

  failed(emailFolded: string, address: string, now: number): void {
    count(this.#byEmail, emailFolded, now, EMAIL_WAIT_MAX_MS);
    count(this.#byAddress, address, now, ADDRESS_WAIT_MAX_MS);
  }

  /** Only the email is forgiven: an attacker with one good account must not reset the address for guessing at others. */
  succeeded(emailFolded: string): void {
    this.#byEmail.delete(emailFolded);
  }
}

function count(all: Map<string, Failures>, name: string, now: number, waitMaxMs: number): void {
  const earlier = all.get(name);
  const failures = earlier && now - earlier.lastAt < FORGET_AFTER_MS ? earlier.count + 1 : 1;
  const excess = failures - FREE_FAILURES;
  const waitMs = excess <= 0 ? 0 : Math.min(waitMaxMs, 1000 * 2 ** Math.min(excess, 20));
  all.delete(name);
  all.set(name, { count: failures, lastAt: now, waitUntil: now + waitMs });
  const oldest = all.keys().next().value;
  if (all.size > REMEMBERED_MAX && oldest !== undefined) all.delete(oldest);
}
