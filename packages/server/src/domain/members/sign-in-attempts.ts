import { Failure } from '../failure.ts';
import { callerNetwork } from '../network-address.ts';
import { hashSecret } from '../secret.ts';

/** Failures without a wait, because people mistype. After these, every failure doubles the wait. */
const FREE_FAILURES = 5;
/** Whoever knew a password once may have many known devices, so all of them together have a limit, too. */
const FREE_FAILURES_OF_DEVICES = 50;
/** More than somebody mistypes within an hour. */
const FREE_FAILURES_OF_OTHERS = 20;
/** More than somebody sets within an hour. */
const FREE_NEW_PASSWORDS = 10;

/** The wait for an email is short, so that somebody else's guesses do not lock a member out. The wait for a network may be long. */
const WAIT_MAX_MS = 60_000;
const NETWORK_WAIT_MAX_MS = 900_000;

const FORGET_AFTER_MS = 3_600_000;

export interface Failures {
  count: number;
  lastAt: number;
  waitUntil: number;
}

/** The failures of all processes, by the names of their sources. */
export interface AttemptBooks {
  /**
   * Replaces the failures of these sources, or removes them. Several changes to a source are made one after the other. If the
   * change throws, nothing is replaced.
   */
  change(
    sources: readonly string[],
    change: (before: (Failures | undefined)[]) => (Failures | undefined)[],
  ): Promise<void>;
  /** Removes sources without a later attempt. */
  removeOld(lastBefore: number): Promise<void>;
}

/** What attempts are counted by. */
export interface AttemptSource {
  /** A hash, because anybody can try the email of anybody. */
  name: string;
  waitMaxMs: number;
  freeFailures?: number;
  /** Whether a success clears the earlier failures. */
  isCleared: boolean;
}

/** An attempt, which counts as a failure until its outcome is known. */
export interface Attempt {
  /** The attempt succeeded: it does not count, and the earlier failures of those sources are cleared that may be. */
  succeeded(): Promise<void>;
  /** The attempt neither succeeded nor failed: it does not count. */
  forgiven(): Promise<void>;
}

/**
 * For somebody who is not signed in: the email, and the network, which for IPv6 is that of 64 bits. Known and unknown emails
 * are treated alike. A success must not clear the failures of the network, or an attacker with an account could do so. Nor
 * those of the email: it may be that of a member in another account, too, made up by an attacker.
 */
export function sourcesOfVisitor(emailFolded: string, address: string): AttemptSource[] {
  return [
    { name: nameOf('email', emailFolded), waitMaxMs: WAIT_MAX_MS, isCleared: false },
    { name: nameOf('network', callerNetwork(address)), waitMaxMs: NETWORK_WAIT_MAX_MS, isCleared: false },
  ];
}

/** What devices that are known for some members with this email try with the others. */
export function sourcesOfOthers(emailFolded: string, address: string): AttemptSource[] {
  const common = { freeFailures: FREE_FAILURES_OF_OTHERS, isCleared: false };
  return [
    { name: nameOf('others', emailFolded), waitMaxMs: WAIT_MAX_MS, ...common },
    { name: nameOf('others by', callerNetwork(address)), waitMaxMs: NETWORK_WAIT_MAX_MS, ...common },
  ];
}

/** A device with which a member has signed in before is counted by itself: whatever others try, its owner can sign in. */
export function sourcesOfDevice(memberId: number, deviceId: string): AttemptSource[] {
  return [
    { name: nameOf('device', deviceId, String(memberId)), waitMaxMs: WAIT_MAX_MS, isCleared: true },
    {
      name: nameOf('devices', String(memberId)),
      waitMaxMs: WAIT_MAX_MS,
      freeFailures: FREE_FAILURES_OF_DEVICES,
      isCleared: true,
    },
  ];
}

/**
 * New passwords of a member. An attacker may have made a member of their own account with the email of somebody else: signing in
 * with a password that they have just set there tells whether the other one has the same. So nobody sets many.
 */
export function sourcesOfNewPassword(accountId: number, emailFolded: string): AttemptSource[] {
  const name = nameOf('new password', String(accountId), emailFolded);
  return [{ name, waitMaxMs: WAIT_MAX_MS, freeFailures: FREE_NEW_PASSWORDS, isCleared: false }];
}

/**
 * Codes are counted apart from passwords, and by member, however they are sent: a right password must not clear the wrong
 * codes. Only who knows the password or is signed in can send one, so nobody else can make the member wait.
 */
export function sourcesOfCode(memberId: number): AttemptSource[] {
  return [{ name: nameOf('code', String(memberId)), waitMaxMs: WAIT_MAX_MS, isCleared: true }];
}

/**
 * Answers of passkeys cannot be guessed. They are counted only so that checking them does not cost much, and by passkey: nobody
 * else knows its id, so nobody else can make its owner wait.
 */
export function sourcesOfPasskey(passkeyId: string): AttemptSource[] {
  return [{ name: nameOf('passkey', passkeyId), waitMaxMs: WAIT_MAX_MS, freeFailures: 20, isCleared: true }];
}

/** Answers from a sign-in service, each of which makes us ask the service about it. */
export function sourcesOfProvider(address: string): AttemptSource[] {
  const name = nameOf('provider by', callerNetwork(address));
  return [{ name, waitMaxMs: WAIT_MAX_MS, freeFailures: 20, isCleared: true }];
}

/** The same for a member who is signed in. */
export function sourcesOfMember(memberId: number): AttemptSource[] {
  return [{ name: nameOf('member', String(memberId)), waitMaxMs: WAIT_MAX_MS, isCleared: true }];
}

/** Requests for a mail with a link. All of them count, and alike for known and unknown emails: nobody shall be flooded with mail. */
export function sourcesOfForgotten(emailFolded: string, address: string): AttemptSource[] {
  return [
    { name: nameOf('forgotten', emailFolded), waitMaxMs: NETWORK_WAIT_MAX_MS, freeFailures: 3, isCleared: false },
    {
      name: nameOf('forgotten by', callerNetwork(address)),
      waitMaxMs: NETWORK_WAIT_MAX_MS,
      freeFailures: 10,
      isCleared: false,
    },
  ];
}

/**
 * Slows down guessing, counted for all processes together. An attempt is counted before the password is checked, so that
 * sending many attempts at the same time gives no advantage.
 */
export class SignInAttempts {
  readonly #books: AttemptBooks;

  constructor(books: AttemptBooks) {
    this.#books = books;
  }

  /** Counts the attempt. Fails while one of the sources has to wait. */
  async begin(sources: readonly AttemptSource[], now: number): Promise<Attempt> {
    const names = sources.map(({ name }) => name);
    let earlier: (Failures | undefined)[] = [];
    let counted: Failures[] = [];
    await this.#books.change(names, (before) => {
      requireNoWait(before, now);
      earlier = before;
      counted = sources.map((source, index) => oneMore(before[index], now, source));
      return counted;
    });
    const takeBack = (latest: (Failures | undefined)[]) =>
      latest.map((each, index) => without(each, counted[index], earlier[index]));
    return {
      succeeded: () =>
        this.#books.change(names, (latest) => {
          const takenBack = takeBack(latest);
          return sources.map(({ isCleared }, index) => (isCleared ? undefined : takenBack[index]));
        }),
      forgiven: () => this.#books.change(names, takeBack),
    };
  }

  /** Forgets what was long ago. */
  async removeOld(now: number): Promise<void> {
    await this.#books.removeOld(now - FORGET_AFTER_MS);
  }
}

function nameOf(...parts: string[]): string {
  return hashSecret(JSON.stringify(parts));
}

function requireNoWait(failures: readonly (Failures | undefined)[], now: number): void {
  const until = Math.max(...failures.map((each) => each?.waitUntil ?? 0));
  if (until <= now) return;
  const seconds = Math.ceil((until - now) / 1000);
  throw new Failure('rate_limited', `Too many attempts. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

function oneMore(
  earlier: Failures | undefined,
  now: number,
  { waitMaxMs, freeFailures = FREE_FAILURES }: AttemptSource,
): Failures {
  const count = earlier && now - earlier.lastAt < FORGET_AFTER_MS ? earlier.count + 1 : 1;
  const excess = count - freeFailures;
  const waitMs = excess <= 0 ? 0 : Math.min(waitMaxMs, 1000 * 2 ** Math.min(excess, 20));
  return { count, lastAt: now, waitUntil: now + waitMs };
}

/** If other attempts were counted since, their wait stays. */
function without(
  latest: Failures | undefined,
  counted: Failures | undefined,
  earlier: Failures | undefined,
): Failures | undefined {
  if (!latest || !counted) return latest;
  if (latest.count === counted.count && latest.lastAt === counted.lastAt) return earlier;
  return { ...latest, count: latest.count - 1 };
}
