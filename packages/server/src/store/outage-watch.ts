import type { HearTrouble, Trouble } from './engines/trouble.ts';

/** How often it is tried during an outage whether it is over, and for how long the answer to a question is good. */
const PROBE_MS = 1000;

/** Different reasons that are told of one outage. */
const REASONS_MAX = 20;

export interface Outage {
  reason: string;
  /** How long it lasted, when it is over; then all reasons are named. */
  endedAfterMs?: number;
}

export interface OutageWatchDeps {
  onTrouble(listener: HearTrouble): () => void;
  /** Writes a little and commits it. */
  tryWriting(): Promise<void>;
}

/** Knows whether the database can be written to, and tells when, and why, it begins and ends that it cannot be used. */
export class OutageWatch {
  readonly #tryWriting: () => Promise<void>;
  readonly #listeners = new Set<(outage: Outage) => void>();
  readonly #stopHearing: () => void;
  #outage: { since: number; last: Trouble; lastAt: number; reasons: Set<string> } | undefined;
  #answer: { at: number; attempt: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ onTrouble, tryWriting }: OutageWatchDeps) {
    this.#tryWriting = tryWriting;
    this.#stopHearing = onTrouble((trouble) => this.#hear(trouble));
  }

  subscribe(listener: (outage: Outage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fails with the reason when nothing can be written. However often it is asked, it writes at most once a second. */
  async requireWritable(): Promise<void> {
    if (this.#outage) throw this.#outage.last;
    const now = performance.now();
    if (!this.#answer || now - this.#answer.at >= PROBE_MS) this.#answer = { at: now, attempt: this.#tryWriting() };
    await this.#answer.attempt;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopHearing();
    clearTimeout(this.#timer);
  }

  #hear(trouble: Trouble): void {
    if (trouble.passing) return;
    const now = performance.now();
    this.#outage ??= { since: now, last: trouble, lastAt: now, reasons: new Set() };
    const { reasons } = this.#outage;
    Object.assign(this.#outage, { last: trouble, lastAt: now });
    if (!reasons.has(trouble.reason) && reasons.size < REASONS_MAX) {
      reasons.add(trouble.reason);
      this.#tell({ reason: trouble.reason });
    }
    this.#timer ??= this.#probeLater();
  }

  #probeLater(): NodeJS.Timeout {
    return setTimeout(async () => {
      await this.#probe();
      // Not what the probe has found: another outage may have begun since.
      this.#timer = this.#outage && !this.#isStopped ? this.#probeLater() : undefined;
    }, PROBE_MS).unref();
  }

  /** A write that works ends it, unless others have failed just now: a full disk may still have room for a small one. */
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
    this.#tell({ reason: [...outage.reasons].join('; '), endedAfterMs: now - outage.since });
  }

  #tell(outage: Outage): void {
    for (const listener of this.#listeners) listener(outage);
  }
}
