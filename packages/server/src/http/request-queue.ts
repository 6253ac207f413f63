import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Overload } from '../domain/overload.ts';

/** How long requests are answered before others are read again, if there are more than can be answered in that time. */
const TURN_MS = 2;

/** Within this time, the first request of a caller in a turn is answered at once, however many requests others have sent. */
const FIRST_REQUEST_MS = 4 * TURN_MS;

/** Called once for every request, now or later. Resolves when it is answered, and never rejects. */
type Answer = (isRefused: boolean) => Promise<void>;

interface Waiting {
  since: number;
  /** Whether no other request of its caller was waiting when it arrived. */
  isAlone: boolean;
  connection: object;
  answer: Answer;
}

export interface RequestQueueOptions {
  /** Whether some are refused when more arrive than can be answered. Otherwise all of them wait. */
  refuses?: boolean;
  now?: () => number;
}

/**
 * Lets requests wait when more arrive than can be answered, and the callers take turns: however many requests one of them sends,
 * another that sends few is answered almost at once. Node reads in one turn of its event loop all that has arrived, and would
 * answer it in that order. When the queue never empties, those that have waited too long are refused.
 */
export class RequestQueue {
  readonly #refuses: boolean;
  readonly #now: () => number;
  readonly #overload = new Overload();
  /** By caller, in the order of their turns. Nobody in it has an empty list. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Those who were answered at once in this turn although its time was used up. */
  readonly #answered = new Set<string>();
  #turnStartedAt: number | undefined;
  #stillWaiting = 0;

  constructor(options: RequestQueueOptions = {}) {
    this.#refuses = options.refuses ?? true;
    this.#now = options.now ?? (() => performance.now());
  }

  /** How many requests were refused. */
  get refused(): number {
    return this.#overload.refused;
  }

  /** `callerOf` is called only when it depends on the caller. */
  add(callerOf: () => string, connection: object, answer: Answer): void {
    const now = this.#now();
    this.#turnStartedAt ??= this.#beginTurn(now);
    if (this.#waiting.size === 0) {
      this.#overload.reportEmpty(now);
      if (this.#hasRoom(now)) {
        void answer(false);
        return;
      }
    }
    const caller = callerOf();
    const own = this.#waiting.get(caller);
    if (!own && this.#isFirstOf(caller, now)) {
      void answer(false);
      return;
    }
    this.#stillWaiting++;
    if (own) own.push({ since: now, isAlone: false, connection, answer });
    else this.#waiting.set(caller, [{ since: now, isAlone: true, connection, answer }]);
  }

  #hasRoom(now: number): boolean {
    return now - (this.#turnStartedAt ?? now) < TURN_MS;
  }

  #isFirstOf(caller: string, now: number): boolean {
    if (this.#answered.has(caller) || now - (this.#turnStartedAt ?? now) >= FIRST_REQUEST_MS) return false;
    this.#answered.add(caller);
    return true;
  }

  #beginTurn(now: number): number {
    // Called when everything that has arrived is read.
    setImmediate(() => this.#endTurn());
    return now;
  }

  #endTurn(): void {
    this.#answered.clear();
    this.#turnStartedAt = undefined;
    if (this.#waiting.size > 0) void this.#answerWaiting();
  }

  async #answerWaiting(): Promise<void> {
    this.#turnStartedAt = this.#beginTurn(this.#now());
    const nextTurn = turnOfTheLoop();
    for (let now = this.#turnStartedAt; this.#hasRoom(now); now = this.#now()) {
      const next = this.#next(now);
      if (!next) return;
      const { isAlone, connection } = next;
      const waited = { waitMs: now - next.since, isAlone, connection, stillWaiting: this.#stillWaiting };
      const isRefused = this.#refuses && this.#overload.refuses(waited, now);
      // Most of the work is done after the first `await` of an answer, so the time is known only when that is over. An answer
      // that waits for something else does not keep the next one waiting for longer than this turn.
      const isOver = await Promise.race([next.answer(isRefused), nextTurn.then(() => true)]);
      if (isOver) return;
    }
  }

  /** A request of the caller whose turn it is: the oldest, or under overload the newest, after those that are to be refused. */
  #next(now: number): Waiting | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [caller, own] = turn;
    this.#waiting.delete(caller);
    const isNewestFirst = this.#overload.isNewestFirst(now - (own[0]?.since ?? now));
    const next = isNewestFirst ? own.pop() : own.shift();
    this.#stillWaiting--;
    if (own.length > 0) this.#waiting.set(caller, own);
    return next;
  }
}
