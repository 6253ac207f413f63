import type { DatabaseUnavailable, UnavailableListener } from './engines/database-unavailable.ts';

/** The interval between test writes during an outage, and how long the result of a test write is reused. */
const PROBE_MS = 1000;

/** The maximum number of different reasons that are reported for one outage. */
const REASONS_MAX = 20;

export interface Outage {
  reason: string;
  /** The duration of an outage that is over. The reason then contains all reasons. */
  endedAfterMs?: number;
}

export interface OutageMonitorDeps {
  onUnavailable(listener: UnavailableListener): () => void;
  /** Commits a small write. */
  tryWriting(): Promise<void>;
}

/** Tracks whether the database can be used, and reports when an outage begins, why, and when it ends. */
export class OutageMonitor {
  readonly #tryWriting: () => Promise<void>;
  readonly #listeners = new Set<(outage: Outage) => void>();
  readonly #unsubscribe: () => void;
  #outage: { since: number; last: DatabaseUnavailable; lastAt: number; reasons: Set<string> } | undefined;
  #lastAttempt: { at: number; result: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ onUnavailable, tryWriting }: OutageMonitorDeps) {
    this.#tryWriting = tryWriting;
    this.#unsubscribe = onUnavailable((failure) => this.#onFailure(failure));
  }

  subscribe(listener: (outage: Outage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fails with the reason if the database cannot be written to. It tries a write at most once a second. */
  async requireWritable(): Promise<void> {
    if (this.#outage) throw this.#outage.last;
    const now = performance.now();
    if (!this.#lastAttempt || now - this.#lastAttempt.at >= PROBE_MS)
      this.#lastAttempt = { at: now, result: this.#tryWriting() };
    await this.#lastAttempt.result;
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
  }

  #onFailure(failure: DatabaseUnavailable): void {
    if (failure.isTransient) return;
    const now = performance.now();
    this.#outage ??= { since: now, last: failure, lastAt: now, reasons: new Set() };
    const { reasons } = this.#outage;
    Object.assign(this.#outage, { last: failure, lastAt: now });
    if (!reasons.has(failure.reason) && reasons.size < REASONS_MAX) {
      reasons.add(failure.reason);
      this.#notify({ reason: failure.reason });
    }
    this.#timer ??= this.#probeLater();
  }

  #probeLater(): NodeJS.Timeout {
    return setTimeout(async () => {
      await this.#probe();
      // Checks the current state and not the result of the probe, because another outage may have begun since.
      this.#timer = this.#outage && !this.#isStopped ? this.#probeLater() : undefined;
    }, PROBE_MS).unref();
  }

  /** A successful write ends the outage, unless others have just failed: a full disk may still have room for a small write. */
  async #probe(): Promise<void> {
    try {
      await this.#tryWriting();
    } catch {
      return;
    }
    const outage = this.#outage;
    const now = performance.now();
    if (!outage || now - outage.lastAt < PROBE_MS / 2) return;
    this.#outage = undefined;
    this.#notify({ reason: [...outage.reasons].join('; '), endedAfterMs: now - outage.since });
  }

  #notify(outage: Outage): void {
    for (const listener of this.#listeners) listener(outage);
  }
}
