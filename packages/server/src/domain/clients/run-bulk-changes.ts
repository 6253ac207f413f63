import type { ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure, isFailure } from '../failure.ts';
import { BatchSize } from './batch-size.ts';
import {
  type BulkChange,
  BulkChangeEnded,
  type BulkChangeParts,
  type BulkChanges,
  type BulkNumbers,
  type BulkProgress,
  CHANGED_KEPT_MAX,
  hasVersion,
  LISTED_MAX,
  mergeRefusals,
  type NextClients,
  type Refusals,
  withChanged,
} from './bulk-change.ts';
import {
  decideChange,
  decideOfferedUndo,
  mayGoBack,
  referencesChanged,
  subjectOf,
  UNDO_REASON,
} from './change-many-clients.ts';
import { JobRunner, persist, reasonOfEnd } from './job-runner.ts';
import type { GroupChanges } from './manage-groups.ts';
import { type ManyChanges, type ManyOutcome, type ManyPatch, UNDONE } from './many-clients.ts';
import { lacksReason, type ReasonRules, reasonMissing } from './reason.ts';

/** How many clients a transaction changes, so that another change to the workspace does not wait for long. */
const CLIENTS = { targetMs: 40, first: 250, min: 50, max: 2000 };

interface BulkParts {
  clients: ManyChanges & ReasonRules;
  groups: Pick<GroupChanges, 'byToken'>;
  bulkChanges: BulkChangeParts;
}

export interface RunBulkChangesDeps {
  bulkChanges: BulkChanges;
  changeWorkspace: ChangeWorkspace<BulkParts>;
  clock: Clock;
  /** How many clients a transaction changes at most. */
  clientsAtOnce?: number;
  /** Of how many clients that were changed the references are kept. */
  changedKept?: number;
  /** Told about what should not have happened. */
  onDefect(error: unknown): void;
  /** Told about each that has failed, for whatever reason. */
  onFailed?(): void;
}

/**
 * Makes the bulk changes that are stored in the database, one for each workspace at a time. The clients of a transaction, the
 * numbers and the position after them are stored together, so any process can go on from there, whatever happens to this one.
 */
export class BulkChangeRunner extends JobRunner<BulkChange> {
  constructor(deps: RunBulkChangesDeps) {
    super({
      ...deps,
      books: deps.bulkChanges,
      run: (job, runner, signal) => new BulkChangeRun(deps, job, runner, signal).toTheEnd(),
    });
  }
}

/** One run of a bulk change by this process, from the position after the last transaction. */
class BulkChangeRun {
  readonly #deps: RunBulkChangesDeps;
  readonly #runner: string;
  readonly #signal: AbortSignal;
  readonly #size: BatchSize;
  #job: BulkChange;

  constructor(deps: RunBulkChangesDeps, job: BulkChange, runner: string, signal: AbortSignal) {
    this.#deps = deps;
    this.#job = job;
    this.#runner = runner;
    this.#signal = signal;
    this.#size = new BatchSize(CLIENTS, deps.clientsAtOnce ?? CLIENTS.max);
  }

  async toTheEnd(): Promise<void> {
    const { bulkChanges } = this.#deps;
    const { workspaceId, id } = this.#job;
    try {
      const referenceIds = await this.#persist(() => bulkChanges.referenceIds(workspaceId, id));
      for (let isLast = false; !isLast; ) {
        this.#signal.throwIfAborted();
        isLast = await this.#step(referenceIds);
      }
      await this.#end('completed');
    } catch (error) {
      // Nothing is lost: some process goes on, or the change is over.
      if (this.#signal.aborted) return bulkChanges.release(this.#job, this.#runner);
      if (error instanceof BulkChangeEnded || isFailure(error, 'unavailable')) return;
      await this.#fail(error);
    }
  }

  /** Changes the next clients in one transaction. Returns whether they were the last ones. */
  async #step(referenceIds: readonly string[] | undefined): Promise<boolean> {
    const { changeWorkspace, clock } = this.#deps;
    const { workspaceId, actor, id } = this.#job;
    let began = 0;
    let attempts = 0;
    const work = async (change: BulkParts & WorkspaceRecorder) => {
      began = performance.now();
      // The database may have taken too long for so many clients.
      if (attempts++ > 0) this.#size.halve();
      const next = await change.bulkChanges.next(this.#job, referenceIds, this.#size.rows);
      const { outcomes, subject } = await this.#apply(change, next.referenceIds);
      const progress = this.#progressOf(outcomes, next);
      const references = referencesChanged(outcomes).slice(0, LISTED_MAX);
      change.record('client.changed', subject, { id, clients: progress.changed, references });
      return { job: await change.bulkChanges.advance(this.#job, this.#runner, progress), next };
    };
    const { job, next } = await this.#persist(() =>
      changeWorkspace({ workspaceId, actor, at: clock.now(), isLong: true }, work),
    );
    this.#size.note(next.read, performance.now() - began);
    this.#job = job;
    return next.isLast || isUndone(job);
  }

  #progressOf(outcomes: readonly ManyOutcome[], { span }: NextClients): BulkProgress {
    const job = this.#job;
    const numbers = numbersOf(outcomes, job);
    const changed = referencesChanged(outcomes);
    // What undoes another one is not undone itself.
    const most = job.request.undoes ? 0 : (this.#deps.changedKept ?? CHANGED_KEPT_MAX);
    return {
      step: job.step + 1,
      position: span.last,
      ...numbers,
      span: withChanged(job, span, changed.length),
      changedIds: job.changed + changed.length <= most ? changed : [],
    };
  }

  async #apply(change: BulkParts, referenceIds: readonly string[]) {
    const { patch, reason, undoes } = this.#job.request;
    if (undoes) {
      const isUndone = (version: number) => hasVersion(undoes.versions, version);
      const { outcomes } = await change.clients.changeMany(
        referenceIds,
        (client, last) => decideOfferedUndo(client, last, isUndone),
        { reason: UNDO_REASON, withLastEvent: true },
      );
      return { outcomes, subject: UNDONE };
    }
    // An owner may have decided so in the meantime.
    if (await lacksReason(change.clients, patch.requestStatus, reason)) throw reasonMissing();
    const wanted = await this.#wanted(change, patch);
    const { outcomes } = await change.clients.changeMany(referenceIds, (client) => decideChange(client, wanted), {
      reason,
    });
    // As it was when the change was stored: the parts of one change have one subject.
    return { outcomes, subject: subjectOf(patch) };
  }

  async #wanted({ groups }: BulkParts, patch: ManyPatch): Promise<ManyPatch> {
    const { groupToken } = this.#job.request;
    if (groupToken === undefined) return patch;
    const group = await groups.byToken(groupToken);
    if (!group) throw new Failure('conflict', `The group ${patch.groupName} was deleted or merged in the meantime.`);
    return { ...patch, groupName: group.name };
  }

  async #fail(error: unknown): Promise<void> {
    try {
      await this.#end('failed', reasonOfEnd(error, 'change'));
    } catch (late) {
      // It was over before: what went wrong may have been a consequence of that.
      if (late instanceof BulkChangeEnded) return;
      throw late;
    }
    this.#deps.onFailed?.();
    if (!isFailure(error)) this.#deps.onDefect(error);
  }

  #end(state: 'completed' | 'failed', reason?: string): Promise<void> {
    const { changeWorkspace, clock } = this.#deps;
    const { workspaceId, actor } = this.#job;
    return this.#persist(() =>
      // As the operator: the member may have been removed meanwhile, and the change has to end all the same.
      changeWorkspace({ workspaceId, actor: { name: actor.name, address: actor.address }, at: clock.now() }, (change) =>
        change.bulkChanges.end(this.#job, this.#runner, state, reason),
      ),
    );
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return persist(this.#deps.clock, this.#signal, work);
  }
}

/** Whether all clients of a filtered list that can be put back were found. Those that follow have never been changed. */
function isUndone({ request: { undoes, filter }, total, changed, unchanged, refused }: BulkChange): boolean {
  return undoes !== undefined && filter !== undefined && changed + unchanged + refused >= total;
}

function numbersOf(
  outcomes: readonly ManyOutcome[],
  { request: { patch, undoes } }: BulkChange,
): BulkNumbers & { refusals: Refusals[] } {
  const numbers: BulkNumbers = { changed: 0, unchanged: 0, refused: 0, undoable: 0 };
  const refusals: Refusals[] = [];
  for (const each of outcomes) {
    if (each.outcome === 'left-out') continue;
    numbers[each.outcome]++;
    if (each.outcome === 'refused') refusals.push({ reason: each.reason, count: 1, referenceIds: [each.referenceId] });
    if (each.outcome === 'changed' && !undoes && mayGoBack(each.before, patch)) numbers.undoable++;
  }
  return { ...numbers, refusals: mergeRefusals([], refusals) };
}
