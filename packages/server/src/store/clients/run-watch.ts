import { RUN_LEASE_MS } from '../../domain/clients/job-runner.ts';

/** Clocks of nodes that are set at all do not differ by more than this. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A job that a process is running, or was running when it ended. */
interface Run {
  workspace_id: number;
  id: string;
  runs_until: number;
}

/**
 * Says whether the process of a run still goes on with it. Usually the end of its lease tells. One that is too far ahead was
 * written before the clock was set back, and its job would wait until the clock is there again, or by a node whose clock is
 * ahead. Only the second kind is renewed, so such a run is over if it did not change while this process watched it for as
 * long as a lease lasts.
 */
export class RunWatch {
  readonly #steadyNow: () => number;
  #watched = new Map<string, { runsUntil: number; since: number }>();

  /** The clock must be one that does not jump when the time of day is set. */
  constructor(steadyNow: () => number) {
    this.#steadyNow = steadyNow;
  }

  /** Looks at all runs that there are now. */
  look(runs: readonly Run[], now: number): void {
    const before = this.#watched;
    this.#watched = new Map();
    for (const run of runs.filter((each) => isFarAhead(each, now))) {
      const known = before.get(keyOf(run));
      const isSame = known?.runsUntil === run.runs_until;
      this.#watched.set(keyOf(run), isSame ? known : { runsUntil: run.runs_until, since: this.#steadyNow() });
    }
  }

  isGoingOn(run: Run, now: number): boolean {
    if (!isFarAhead(run, now)) return run.runs_until > now;
    const watched = this.#watched.get(keyOf(run));
    return watched?.runsUntil !== run.runs_until || this.#steadyNow() - watched.since < RUN_LEASE_MS;
  }
}

function isFarAhead({ runs_until }: Run, now: number): boolean {
  return runs_until > now + RUN_LEASE_MS + CLOCK_DIFFERENCE_MS;
}

function keyOf({ workspace_id, id }: Run): string {
  return `${workspace_id} ${id}`;
}
