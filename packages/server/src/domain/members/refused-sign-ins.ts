import type { ChangeAccount, ChangeInstallation } from '../change.ts';
import { callerNetwork } from '../network-address.ts';
import type { Member } from './member.ts';

const MINUTE_MS = 60_000;

/** How many sources are told apart in a minute. What comes from others is summed up for each account, and for unknown emails. */
const SOURCES_MAX = 500;

/** How many minutes wait while nothing can be written. What comes later is added to the last of them. */
const MINUTES_MAX = 30;

/** The member whose email was tried, although somebody else may have tried it. Missing for an unknown email. */
type Tried = Pick<Member, 'accountId' | 'email'> | undefined;

/** How somebody tried to sign in. */
const UNKNOWN = {
  password: 'an unknown email',
  passkey: 'an unknown passkey',
  service: 'somebody whom the sign-in service has named and who is not a member',
};
type Means = keyof typeof UNKNOWN;

interface Refusal {
  means: Means;
  accountId: number | undefined;
  /** Missing if it was not known, or if there were too many. */
  email: string | undefined;
  address: string;
  /** Of the first of them. */
  at: number;
  times: number;
}

interface RefusedSignInsDeps {
  changeAccount: ChangeAccount<object>;
  changeInstallation: ChangeInstallation<object>;
}

/**
 * Sign-ins that were refused, for the activity log: because of a wrong email or password, a wrong passkey, or because the
 * sign-in service has named somebody who is not a member. They are summed up by minute, member and network, so that guessing does not fill the log, and written later: otherwise the answer for an email that somebody has
 * would take longer than that for an unknown one. Unknown emails are not written down, because people type passwords in the
 * wrong place.
 */
export class RefusedSignIns {
  readonly #deps: RefusedSignInsDeps;
  /** By source, of each minute. */
  readonly #minutes = new Map<number, Map<string, Refusal>>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: RefusedSignInsDeps) {
    this.#deps = deps;
  }

  note(tried: Tried, address: string, at: number, means: Means = 'password'): void {
    const sources = this.#sourcesOf(at);
    const { accountId, email } = tried ?? {};
    const source = `${means} ${accountId} ${email} ${callerNetwork(address)}`;
    const refusal = { means, accountId, at, times: 1 };
    if (sources.has(source) || sources.size < SOURCES_MAX) add(sources, source, { ...refusal, email, address });
    else add(sources, `${means} ${accountId}`, { ...refusal, email: undefined, address: '' });
  }

  /** How many are only in memory. */
  get notWritten(): number {
    const refusals = [...this.#minutes.values()].flatMap((sources) => [...sources.values()]);
    return refusals.reduce((sum, { times }) => sum + times, 0);
  }

  /**
   * Writes those of the minutes that are over at this time. What could not be written is kept for the next time. A second call
   * waits for the first.
   */
  flush(now: number): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(now));
    // Its failure is reported to its own caller.
    this.#flushing = flushed.catch(() => {});
    return flushed;
  }

  async #flush(now: number): Promise<void> {
    for (const [minute, sources] of [...this.#minutes]) {
      if (minute >= minuteOf(now)) continue;
      for (const [source, refusal] of [...sources]) {
        sources.delete(source);
        try {
          await this.#write(refusal);
        } catch (error) {
          add(sources, source, refusal);
          throw error;
        }
      }
      if (sources.size === 0) this.#minutes.delete(minute);
    }
  }

  async #write({ means, accountId, email, address, at, times }: Refusal): Promise<void> {
    const count = times === 1 ? '' : ` (${times} times)`;
    if (accountId === undefined) {
      await this.#deps.changeInstallation({ actor: { name: '', address }, at }, async (change) =>
        change.recordInstallation('sign-in.failed', `${UNKNOWN[means]}${count}`),
      );
      return;
    }
    const actor = { name: email ?? '', address };
    await this.#deps.changeAccount({ accountId, actor, at }, async (change) =>
      change.record(
        'sign-in.failed',
        `${email ?? 'several members'}${means === 'passkey' ? ', with a passkey' : ''}${count}`,
      ),
    );
  }

  #sourcesOf(at: number): Map<string, Refusal> {
    const minute = minuteOf(at);
    const known = this.#minutes.get(minute);
    if (known) return known;
    const last = [...this.#minutes.values()].at(-1);
    if (last && this.#minutes.size >= MINUTES_MAX) return last;
    const sources = new Map<string, Refusal>();
    this.#minutes.set(minute, sources);
    return sources;
  }
}

function add(sources: Map<string, Refusal>, source: string, refusal: Refusal): void {
  const earlier = sources.get(source);
  if (earlier) earlier.times += refusal.times;
  else sources.set(source, refusal);
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}
