import { Overload } from '../domain/overload.ts';

/** How long requests are answered before others are read again, if there are more than can be answered in that time. */
const TURN_MS = 2;

/** Within this time, the first request of a caller in a turn is answered at once, however many requests others have sent. */
const FIRST_REQUEST_MS = 4 * TURN_MS;

/** What an answer is expected to take until it is known. */
const UNKNOWN_COST_MS = 0.5;

/** So many answers together say what one takes. Fewer are weighed against what was known before. */
const ENOUGH_TO_KNOW = 10;

/** Called once for every request, now or later. Resolves when it is answered, and never rejects. A refusal is answered at once. */
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
  /** How many answers were begun in this turn. */
  #begun = 0;
  /** How many answers were made in all. */
  #made = 0;
  /** How long one of them keeps the event loop busy. */
  #costMs = UNKNOWN_COST_MS;
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
      if (this.#usedMs(now) < TURN_MS) {
        this.#begin(answer);
        return;
      }
    }
    const caller = callerOf();
    const own = this.#waiting.get(caller);
    if (!own && this.#isFirstOf(caller, now)) {
      this.#begin(answer);
      return;
    }
    this.#stillWaiting++;
    if (own) own.push({ since: now, isAlone: false, connection, answer });
    else this.#waiting.set(caller, [{ since: now, isAlone: true, connection, answer }]);
  }

  #begin(answer: Answer): void {
    this.#begun++;
    void answer(false).then(() => {
      this.#made++;
    });
  }

  /**
   * How much of the time of this turn is used up. Most of the work of an answer is done later, when all that was begun goes on
   * together after one look at the database, so it counts by what answers took before.
   */
  #usedMs(now: number): number {
    return Math.max(now - (this.#turnStartedAt ?? now), this.#begun * this.#costMs);
  }

  #isFirstOf(caller: string, now: number): boolean {
    if (this.#answered.has(caller) || this.#usedMs(now) >= FIRST_REQUEST_MS) return false;
    this.#answered.add(caller);
    return true;
  }

  #beginTurn(now: number): number {
    // Called when everything that has arrived is read.
    setImmediate(() => this.#endTurn());
    return now;
  }

  #endTurn(): void {
    const [endedAt, made] = [this.#now(), this.#made];
    // Called in the next turn of the loop, which begins when all that can be done now is done.
    setImmediate(() => this.#learnCost(this.#now() - endedAt, this.#made - made));
    this.#answered.clear();
    this.#begun = 0;
    this.#turnStartedAt = undefined;
    if (this.#waiting.size > 0) this.#answerWaiting();
  }

  /** A turn may also have been long for another reason, so at least one request is answered in each. */
  #learnCost(ms: number, answers: number): void {
    if (answers === 0) return;
    const cost = Math.min(ms / answers, TURN_MS);
    this.#costMs += (cost - this.#costMs) * Math.min(1, answers / ENOUGH_TO_KNOW);
  }

  #answerWaiting(): void {
    this.#turnStartedAt = this.#beginTurn(this.#now());
    for (let now = this.#turnStartedAt; this.#usedMs(now) < TURN_MS; now = this.#now()) {
      const next = this.#next(now);
      if (!next) return;
      const { isAlone, connection, answer } = next;
      const waited = { waitMs: now - next.since, isAlone, connection, stillWaiting: this.#stillWaiting };
      if (this.#refuses && this.#overload.refuses(waited, now)) void answer(true);
      else this.#begin(answer);
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
