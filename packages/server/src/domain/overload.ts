/** A wait of this length is long. A caller with fifty connections makes itself wait for so long, and nobody is hurt. */
const LONG_WAIT_MS = 50;

/** So few may wait for long: where each takes long, as on a slow disk, refusing some of them would make the others no quicker. */
const FEW = 16;

/** When waits are long although this time has passed since nothing was waiting, more arrives than can be done. */
const OVERLOADED_AFTER_MS = 200;

/** While overloaded, what has waited for longer than this is refused. So the rest is done almost at once. */
const ACCEPTED_WAIT_MS = 5;

/** When nothing had to be refused for this time, the overload is over. When nothing even waited, there is no doubt of that. */
const OVER_AFTER_MS = 100;

/** It is also over when so many in a row came over fewer connections than would have begun it. */
const LOOK_AT = 2 * FEW;

/**
 * For this time after its end, an overload begins again at the first wait of twice what is accepted, and not only at a long one.
 * When hardly more arrives than can be done, nothing has to be refused now and then; and callers that send their next request over
 * the connection that became free last use few of them while they are refused quickly.
 */
const DOUBTED_FOR_MS = 500;
const DOUBTFUL_WAIT_MS = 2 * ACCEPTED_WAIT_MS;

/** What is about to be done. */
export interface Waited {
  waitMs: number;
  /** Whether nothing else of the same caller was waiting when it arrived. */
  isAlone: boolean;
  /** How many others wait. */
  stillWaiting: number;
  /** What it came over, which brings the next one only after this one. */
  connection: object;
}

/**
 * Tells a queue that never empties, because more arrives than can be done, from one that is long for a moment. The first would
 * grow until everybody waits for long, so a part of it has to be refused. The idea is that of CoDel, by which routers decide which
 * packets to drop. All times are in milliseconds, and `now` is from a clock that is never set.
 */
export class Overload {
  #waitingSince: number | undefined;
  #lastRefusedAt: number | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #lastWaitAt = Number.NEGATIVE_INFINITY;
  readonly #connections = new Set<object>();
  #lookedAt = 0;
  /** How much was refused in all. */
  refused = 0;

  /**
   * Whether what arrived last is done first. Those that have waited are nearly all refused under overload, and in the order of their
   * arrival the others would be done just before they are refused, too.
   */
  isNewestFirst(oldestWaitMs: number): boolean {
    return this.#lastRefusedAt !== undefined && oldestWaitMs <= ACCEPTED_WAIT_MS;
  }

  /** Reports that something arrived when nothing was waiting. */
  reportEmpty(now: number): void {
    this.#waitingSince = undefined;
    this.#endIfOver(now);
    // Otherwise, each of several harmless bursts would begin it again, and so make the next one doubtful.
    if (now - this.#lastWaitAt > OVER_AFTER_MS) this.#endedAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether to refuse what has waited for this time. */
  refuses({ waitMs, isAlone, stillWaiting, connection }: Waited, now: number): boolean {
    this.#waitingSince ??= now - waitMs;
    this.#lastWaitAt = now;
    const isNew = waitMs >= LONG_WAIT_MS && now - this.#waitingSince >= OVERLOADED_AFTER_MS;
    const isBack = waitMs >= DOUBTFUL_WAIT_MS && now - this.#endedAt < DOUBTED_FOR_MS;
    if ((isNew || isBack) && stillWaiting >= FEW) this.#lastRefusedAt ??= now;
    if (this.#lastRefusedAt === undefined) return false;
    if (this.#areFew(connection)) {
      this.#end(now);
      return false;
    }
    // Somebody who sends one thing at a time has not caused the overload, and is refused only if all do so.
    if (waitMs > (isAlone ? LONG_WAIT_MS : ACCEPTED_WAIT_MS)) {
      this.#lastRefusedAt = now;
      this.refused++;
      return true;
    }
    this.#endIfOver(now);
    return false;
  }

  /** Few who try again at once when they are refused would otherwise be refused for ever. */
  #areFew(connection: object): boolean {
    this.#connections.add(connection);
    if (++this.#lookedAt < LOOK_AT) return false;
    const areFew = this.#connections.size < FEW;
    this.#lookAgain();
    return areFew;
  }

  #lookAgain(): void {
    this.#connections.clear();
    this.#lookedAt = 0;
  }

  #endIfOver(now: number): void {
    if (this.#lastRefusedAt === undefined) return;
    const overAt = this.#lastRefusedAt + OVER_AFTER_MS;
    if (now > overAt) this.#end(overAt);
  }

  #end(at: number): void {
    this.#lastRefusedAt = undefined;
    this.#endedAt = at;
    this.#lookAgain();
  }
}
