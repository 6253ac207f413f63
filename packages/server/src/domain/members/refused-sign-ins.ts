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

interface Refusal {
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
 * Sign-ins that were refused because of a wrong email or password, for the activity log. They are summed up by minute, email
 * and network, so that guessing does not fill the log, and written later: otherwise the answer for an email that somebody has
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

  note(tried: Tried, address: string, at: number): void {
    const sources = this.#sourcesOf(at);
    const { accountId, email } = tried ?? {};
    const source = `${accountId} ${email} ${callerNetwork(address)}`;
    if (sources.has(source) || sources.size < SOURCES_MAX)
      add(sources, source, { accountId, email, address, at, times: 1 });
    else add(sources, `${accountId}`, { accountId, email: undefined, address: '', at, times: 1 });
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

  async #write({ accountId, email, address, at, times }: Refusal): Promise<void> {
    const count = times === 1 ? '' : ` (${times} times)`;
    if (accountId === undefined) {
      await this.#deps.changeInstallation({ actor: { name: '', address }, at }, async (change) =>
        change.recordInstallation('sign-in.failed', `an unknown email${count}`),
      );
      return;
    }
    const actor = { name: email ?? '', address };
    await this.#deps.changeAccount({ accountId, actor, at }, async (change) =>
      change.record('sign-in.failed', `${email ?? 'several members'}${count}`),
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
