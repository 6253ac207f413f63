import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Awaitable, ChangeWorkspace, WorkspaceRecorder } from '../change.ts';
import type { Clock } from '../clock.ts';
import { isFailure } from '../failure.ts';
import { AppliedParts } from './applied-parts.ts';
import { BatchSize, PART, TRANSACTION } from './batch-size.ts';
import { newGroupsIn } from './group-change-counts.ts';
import { IdSet } from './id-set.ts';
import type { ClientImports, DryRun, RowChanges, RowResults } from './import-clients.ts';
import {
  type ImportChanges,
  ImportEnded,
  type ImportJob,
  type ImportJobs,
  type ImportProgress,
  type ImportRequest,
} from './import-job.ts';
import { JobRunner, persist, reasonOfEnd } from './job-runner.ts';
import { type ImportRow, parseRow, type SourceRow } from './parse-row.ts';
import { resultOf, rightRows, type TriedRow } from './row-outcomes.ts';

/** A batch keeps the text of its rows in memory, and a row may have a million characters. */
const BATCH_CHARACTERS_MAX = 16 * 1024 * 1024;

/** A piece is read in smaller parts, because how much has been read is known only between them. */
const PART_BYTES = 64 * 1024;

interface JobParts {
  clients: RowChanges;
  imports: ImportChanges;
}

type JobChange = JobParts & WorkspaceRecorder & Awaitable;

export interface RunImportsDeps {
  imports: ImportJobs;
  clients: ClientImports;
  changeWorkspace: ChangeWorkspace<JobParts>;
  clock: Clock;
  /** Reads the rows of a file, until the signal is aborted. */
  readRows(bytes: AsyncIterable<Uint8Array>, request: ImportRequest, signal: AbortSignal): AsyncIterable<SourceRow>;
  /** Told about what should not have happened. */
  onDefect(error: unknown): void;
  /** Told about each that has failed, for whatever reason. */
  onFailed?(): void;
}

/**
 * Runs the imports that are stored in the database, one for each workspace at a time. Every batch and its numbers are one
 * transaction, so any process can go on after the last batch, whatever happens to this one.
 */
export class ImportRunner extends JobRunner<ImportJob> {
  constructor(deps: RunImportsDeps) {
    super({
      ...deps,
      books: deps.imports,
      run: (job, runner, signal) => new JobRun(deps, job, runner, signal).toTheEnd(),
    });
  }
}

interface BatchEntry extends TriedRow {
  /** How much of the file has been read with it, if that is known. */
  share: number | undefined;
}

/** One run of an import by this process, from the first row that is not imported yet. */
class JobRun {
  readonly #deps: RunImportsDeps;
  readonly #job: ImportJob;
  readonly #runner: string;
  readonly #signal: AbortSignal;
  readonly #part: BatchSize;
  readonly #transaction: BatchSize;
  /** The clients that earlier rows have added or changed. A dry run keeps its own. */
  readonly #earlier = new IdSet();
  #wasAwaited = false;
  /** How many bytes of the file have been read. */
  #position = 0;
  /** The number of the last row that was imported, by this run or an earlier one. */
  #lastRow: number;

  constructor(deps: RunImportsDeps, job: ImportJob, runner: string, signal: AbortSignal) {
    this.#part = new BatchSize(PART, deps.clients.rowsAtOnce);
    this.#transaction = new BatchSize(TRANSACTION, deps.clients.rowsAtOnce);
    this.#deps = deps;
    this.#job = job;
    // What a dry run has found out so far was in the memory of another process.
    this.#lastRow = job.request.dryRun ? 0 : job.rowsRead;
    this.#runner = runner;
    this.#signal = signal;
  }

  async toTheEnd(): Promise<void> {
    const { imports } = this.#deps;
    const { workspaceId, id } = this.#job;
    try {
      await this.#importRows();
      await this.#end('completed');
    } catch (error) {
      // Nothing is lost: some process goes on, or the import is over.
      if (this.#signal.aborted) return imports.release(this.#job, this.#runner);
      if (error instanceof ImportEnded || isFailure(error, 'unavailable')) return;
      if (!(await this.#fail(error))) return;
    }
    await imports.removePieces(workspaceId, id);
  }

  async #importRows(): Promise<void> {
    const { clients, readRows } = this.#deps;
    const { workspaceId, id, request } = this.#job;
    const size = await this.#persist(() => this.#deps.imports.size(workspaceId, id));
    const atOnce = request.dryRun ? this.#part : this.#transaction;
    if (request.dryRun) await this.#deps.imports.startOver(this.#job, this.#runner);
    else await this.#recallEarlier();
    const dryRun = request.dryRun ? await clients.openDryRun(workspaceId) : undefined;
    const apply = async (batch: readonly BatchEntry[]): Promise<BatchEntry[]> => {
      this.#signal.throwIfAborted();
      return batch.slice(dryRun ? await this.#tryBatch(batch, dryRun) : await this.#applyBatch(batch));
    };
    try {
      let batch: BatchEntry[] = [];
      const importedBefore = this.#lastRow;
      let [rowNumber, characters] = [0, 0];
      for await (const row of readRows(this.#bytes(), request, this.#signal)) {
        // Empty rows are counted, because an earlier version, which may have begun the import, did so.
        rowNumber += 1 + (row.blankBefore ?? 0);
        if (rowNumber <= importedBefore) continue;
        const share = row.share ?? (size > 0 ? this.#position / size : undefined);
        batch.push({ rowNumber, row, parsed: parseRow(row, request), share });
        characters += row.length ?? 0;
        if (batch.length < atOnce.rows && characters <= BATCH_CHARACTERS_MAX) continue;
        batch = await apply(batch);
        characters = batch.reduce((sum, entry) => sum + (entry.row.length ?? 0), 0);
      }
      while (batch.length > 0) batch = await apply(batch);
    } finally {
      await dryRun?.close();
    }
  }

  /** What another run of the import has added or changed, as far as it is kept. */
  async #recallEarlier(): Promise<void> {
    const { workspaceId, id, rowsRead } = this.#job;
    if (rowsRead > 0) this.#earlier.add(await this.#persist(() => this.#deps.imports.clientIds(workspaceId, id)));
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    const { workspaceId, id } = this.#job;
    for (let number = 0; ; number++) {
      this.#signal.throwIfAborted();
      const piece = await this.#persist(() => this.#deps.imports.piece(workspaceId, id, number));
      if (!piece) return;
      for (let start = 0; start < piece.length; start += PART_BYTES) {
        const part = piece.subarray(start, start + PART_BYTES);
        this.#position += part.length;
        yield part;
      }
      // On SQLite, nothing else would be answered while rows that are imported already are passed over.
      await nextTurn();
    }
  }

  /**
   * Applies rows, a few at a time, until another change waits. These rows, their numbers and those that are rejected are
   * one transaction. Returns how many there were.
   */
  async #applyBatch(batch: readonly BatchEntry[]): Promise<number> {
    const { request, id } = this.#job;
    let [attempts, appliedAt] = [0, 0];
    const { rows, touched } = await this.#change(async (change) => {
      // The database may have taken too long for so many rows.
      if (attempts++ > 0) this.#transaction.halve();
      const most = Math.min(batch.length, this.#transaction.rows);
      const parts = new AppliedParts();
      const earlier = { has: (client: number) => this.#earlier.has(client) || parts.hasTouched(client) };
      let applied = 0;
      do {
        // Who waited for the last transaction may wait for this one, too.
        const rows = this.#wasAwaited ? Math.ceil(this.#part.rows / 2) : this.#part.rows;
        const some = batch.slice(applied, Math.min(most, applied + rows));
        parts.add(await this.#measured(some, (rows) => change.clients.importRows(rows, request, earlier)));
        applied += some.length;
      } while (applied < most && !this.#signal.aborted && !(await change.isAwaited()));
      const { clients, touched, ...results } = parts.sum();
      const newGroups = newGroupsIn(results.groupChanges);
      change.record('client.imported', request.name, { id, clients: clients.length, importId: id, newGroups });
      const progress = this.#progressOf(batch.slice(0, applied), results);
      await change.imports.advance(this.#job, this.#runner, { ...progress, clients });
      this.#wasAwaited = applied < most;
      appliedAt = performance.now();
      return { rows: applied, touched };
    });
    this.#earlier.add(touched);
    this.#lastRow = batch[rows - 1]?.rowNumber ?? this.#lastRow;
    this.#transaction.note(rows, performance.now() - appliedAt);
    return rows;
  }

  /** The same for a dry run, which changes only the numbers of the import. */
  async #tryBatch(batch: readonly BatchEntry[], dryRun: DryRun): Promise<number> {
    const { request } = this.#job;
    // Not tried again: a dry run knows the rows that it has seen.
    const results = await this.#measured(batch, (rows) =>
      dryRun.importRows(rows, { ...request, at: this.#deps.clock.now() }),
    );
    const progress = { ...this.#progressOf(batch, results), clients: [] };
    await this.#change(({ imports }) => imports.advance(this.#job, this.#runner, progress));
    this.#lastRow = batch.at(-1)?.rowNumber ?? this.#lastRow;
    return batch.length;
  }

  #change<T>(work: (change: JobChange) => Promise<T>): Promise<T> {
    const { changeWorkspace, clock } = this.#deps;
    const { workspaceId, actor } = this.#job;
    return this.#persist(() => changeWorkspace({ workspaceId, actor, at: clock.now(), isLong: true }, work));
  }

  async #measured<T>(batch: readonly BatchEntry[], apply: (rows: ImportRow[]) => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await apply(rightRows(batch));
    this.#part.note(batch.length, performance.now() - began);
    return result;
  }

  #progressOf(batch: readonly BatchEntry[], results: RowResults): Omit<ImportProgress, 'clients'> {
    const { rowNumber = this.#lastRow, share } = batch.at(-1) ?? {};
    return { firstRow: this.#lastRow + 1, rows: rowNumber - this.#lastRow, share, ...resultOf(batch, results) };
  }

  /** Returns false if the import was over before: what went wrong may have been a consequence of that. */
  async #fail(error: unknown): Promise<boolean> {
    try {
      await this.#end('failed', reasonOfEnd(error, 'import'));
    } catch (late) {
      if (late instanceof ImportEnded) return false;
      throw late;
    }
    this.#deps.onFailed?.();
    if (!isFailure(error)) this.#deps.onDefect(error);
    return true;
  }

  #end(state: 'completed' | 'failed', reason?: string): Promise<void> {
    const { changeWorkspace, clock } = this.#deps;
    const { workspaceId, actor, id, request } = this.#job;
    return this.#persist(() =>
      // As the operator: a key or a member may have ended meanwhile, and the import has to end all the same.
      changeWorkspace(
        { workspaceId, actor: { name: actor.name, address: actor.address }, at: clock.now() },
        (change) => {
          // Stored only if the import has changed nothing, and therefore left no entry yet.
          change.record('client.imported', request.name, { id, clients: 0, importId: id });
          return change.imports.end(this.#job, this.#runner, state, reason);
        },
      ),
    );
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return persist(this.#deps.clock, this.#signal, work);
  }
}
