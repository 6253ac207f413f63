import { Failure } from '../failure.ts';
import type { ActingMember } from './member.ts';

/**
 * How often each member has asked in the current minute for something that every member may do and that is recorded, such as
 * saving a view. Entries of the activity log are kept, so nobody may add them as fast as a program can.
 */
export class MemberWrites {
  readonly #perMinute: number;
  #minute = 0;
  readonly #counts = new Map<number, number>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  count({ memberId }: ActingMember, now: number): void {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(memberId) ?? 0) + 1;
    this.#counts.set(memberId, count);
    if (count <= this.#perMinute) return;
    const seconds = Math.ceil(((minute + 1) * 60_000 - now) / 1000);
    const message = `Too many requests: a member may make ${this.#perMinute} changes of this kind a minute. Try again in ${seconds} seconds.`;
    throw new Failure('rate_limited', message, { retryAfterSeconds: seconds });
  }
}
