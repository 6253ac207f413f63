import type { ChangeAccount, ChangeInstallation } from '../change.ts';
import { callerNetwork } from '../network-address.ts';
import type { Member } from './member.ts';

const MINUTE_MS = 60_000;

/** How many sources are told apart in a minute. What comes from others is summed up as well, without an address. */
const SOURCES_MAX = 500;

interface Refusal {
  /** The member whose email was tried, although somebody else may have tried it. Missing for an unknown email. */
  member: Pick<Member, 'accountId' | 'email'> | undefined;
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
  #refusals = new Map<string, Refusal>();

  constructor(deps: RefusedSignInsDeps) {
    this.#deps = deps;
  }

  note(member: Refusal['member'], address: string, at: number): void {
    const network = this.#refusals.size < SOURCES_MAX ? callerNetwork(address) : '';
    const source = [minuteOf(at), member?.accountId, member?.email, network].join(' ');
    this.#add(source, { member, address: network === '' ? '' : address, at, times: 1 });
  }

  /** How many are only in memory. */
  get notWritten(): number {
    return this.#refusals.values().reduce((sum, { times }) => sum + times, 0);
  }

  /** Writes those of the minutes that are over at this time. What could not be written is kept for the next time. */
  async flush(now: number): Promise<void> {
    for (const [source, refusal] of [...this.#refusals]) {
      if (minuteOf(refusal.at) >= minuteOf(now)) continue;
      this.#refusals.delete(source);
      try {
        await this.#write(refusal);
      } catch (error) {
        this.#add(source, refusal);
        throw error;
      }
    }
  }

  async #write({ member, address, at, times }: Refusal): Promise<void> {
    const count = times === 1 ? '' : ` (${times} times)`;
    if (!member) {
      await this.#deps.changeInstallation({ actor: { name: '', address }, at }, async (change) =>
        change.recordInstallation('sign-in.failed', `an unknown email${count}`),
      );
      return;
    }
    const { accountId, email } = member;
    await this.#deps.changeAccount({ accountId, actor: { name: email, address }, at }, async (change) =>
      change.record('sign-in.failed', `${email}${count}`),
    );
  }

  #add(source: string, refusal: Refusal): void {
    const earlier = this.#refusals.get(source);
    if (earlier) earlier.times += refusal.times;
    else this.#refusals.set(source, refusal);
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}
