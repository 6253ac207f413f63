/** What the callers saw in one minute, or in the whole run. */
export interface Tally {
  answers: number;
  byStatus: Record<number, number>;
  /** 503 with `Retry-After`: the service refused work on purpose. Every other 5xx is a failure of the run. */
  shed: number;
  serverErrors: number;
  /** Requests whose connection broke, because the process that had them was killed. */
  cut: number;
  /** Requests that were never sent, because the only node was being restarted. */
  refused: number;
  /** Requests that were due and not sent, because too many others waited for their answers. */
  skipped: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const FAILURES_KEPT = 50;

/** Counts answers by minute and in all, and keeps the first failures. */
export class Statistics {
  readonly failures: string[] = [];
  failureCount = 0;
  #minute = new Counts();
  readonly #all = new Counts();

  answered(status: number, milliseconds: number, isShed: boolean): void {
    for (const counts of [this.#minute, this.#all]) counts.answered(status, milliseconds, isShed);
    if (status >= 500 && !isShed) this.failed(`answered ${status}`);
  }

  lost(kind: 'cut' | 'refused' | 'skipped'): void {
    for (const counts of [this.#minute, this.#all]) counts[kind]++;
  }

  failed(what: string): void {
    this.failureCount++;
    if (this.failures.length < FAILURES_KEPT) this.failures.push(`${new Date().toISOString()} ${what}`);
  }

  /** The counts since the last call. */
  takeMinute(): Tally {
    const { tally } = this.#minute;
    this.#minute = new Counts();
    return tally;
  }

  get total(): Tally {
    return this.#all.tally;
  }
}

class Counts {
  readonly #byStatus: Record<number, number> = {};
  readonly #milliseconds = new Histogram();
  #shed = 0;
  cut = 0;
  refused = 0;
  skipped = 0;

  answered(status: number, milliseconds: number, isShed: boolean): void {
    this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1;
    this.#milliseconds.add(milliseconds);
    if (isShed) this.#shed++;
  }

  get tally(): Tally {
    const ofStatus = (least: number) =>
      Object.entries(this.#byStatus).reduce((sum, [status, count]) => (Number(status) >= least ? sum + count : sum), 0);
    return {
      answers: ofStatus(0),
      byStatus: this.#byStatus,
      shed: this.#shed,
      serverErrors: ofStatus(500) - this.#shed,
      cut: this.cut,
      refused: this.refused,
      skipped: this.skipped,
      p50Ms: this.#milliseconds.quantile(0.5),
      p99Ms: this.#milliseconds.quantile(0.99),
      maxMs: this.#milliseconds.quantile(1),
    };
  }
}

/** Response times in steps of five percent, so that an hour of them takes no memory. */
class Histogram {
  readonly #counts: number[] = [];
  #size = 0;

  add(milliseconds: number): void {
    const step = Math.max(0, Math.ceil(Math.log(milliseconds / LEAST_MS) / Math.log(STEP)));
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#size++;
  }

  /** The upper end of the step that this share of the times does not exceed. */
  quantile(share: number): number {
    let seen = 0;
    for (const [step, count = 0] of this.#counts.entries()) {
      seen += count;
      if (seen > 0 && seen >= share * this.#size) return Number((LEAST_MS * STEP ** step).toPrecision(3));
    }
    return 0;
  }
}

const LEAST_MS = 0.05;
const STEP = 1.05;
