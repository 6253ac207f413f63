import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../domain/failure.ts';
import { DatabaseUnavailable, type UnavailableListener } from '../database-unavailable.ts';
import type { ReadingThread } from '../engine.ts';
import type { FromThread, ThreadData, ThreadError, ToThread } from './thread-messages.ts';

export interface ThreadLimits {
  /** How many questions are answered at the same time, so that a slow one does not hold up all others. */
  atOnce: number;
  waiting: number;
  /** How long a question may wait and be answered. */
  answerMs: number;
  /** How long the thread is kept when it has nothing to do. */
  idleMs: number;
}

export const THREAD_LIMITS: ThreadLimits = { atOnce: 2, waiting: 50, answerMs: 120_000, idleMs: 5 * 60_000 };

/** Two searches for words of a million clients each fit in it (decision 119). */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 12, stackSizeMb: 4 };

const RETRY_AFTER_SECONDS = 5;

export interface ThreadDeps {
  /** The file that the thread runs. */
  entry: URL;
  data: ThreadData;
  /** Fails if the database must not be used any more. */
  requireUsable(): void;
  report: UnavailableListener;
}

type Result = { answer: unknown } | { error: unknown };

interface Asked {
  id: number;
  question: unknown;
  /** Tells the caller, once. */
  settle(result: Result): void;
  /** Also called after the caller has left, when the thread has stopped answering. */
  stopTimer(): void;
}

interface Running extends Asked {
  connection: number;
}

/**
 * A thread that is started at the first question, and again at the next one after it has ended. Questions that cannot begin yet
 * wait here, so that one whose caller has left is never begun. Only a timeout ends one statement of SQLite, by ending the thread.
 */
export class SqliteThread implements ReadingThread {
  readonly #deps: ThreadDeps;
  readonly #limits: ThreadLimits;
  readonly #waiting: Asked[] = [];
  readonly #running = new Map<number, Running>();
  readonly #freeConnections: number[];
  /** Threads that have been told to end. */
  readonly #ending = new Set<Promise<unknown>>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(deps: ThreadDeps, limits = THREAD_LIMITS) {
    this.#deps = deps;
    this.#limits = limits;
    this.#freeConnections = Array.from({ length: limits.atOnce }, (_, index) => index);
  }

  async ask<Answer>(question: unknown, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    this.#deps.requireUsable();
    if (this.#isClosed) throw interrupted();
    if (this.#waiting.length >= this.#limits.waiting) throw unavailable('too many searches are running');
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => this.#giveUp(asked), this.#limits.answerMs);
    const onAbort = () => this.#leave(asked, signal?.reason);
    const asked: Asked = {
      id: ++this.#lastId,
      question,
      settle: (result) => {
        signal?.removeEventListener('abort', onAbort);
        if ('answer' in result) resolve(result.answer as Answer);
        else reject(result.error);
      },
      stopTimer: () => clearTimeout(timer),
    };
    signal?.addEventListener('abort', onAbort);
    this.#waiting.push(asked);
    this.#beginNext();
    return promise;
  }

  /** All questions fail, and no more are accepted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const asked of this.#waiting.splice(0)) finish(asked, { error: interrupted() });
    this.#end();
    await Promise.all(this.#ending);
  }

  #beginNext(): void {
    clearTimeout(this.#idle);
    while (this.#waiting.length > 0 && this.#freeConnections.length > 0) {
      const running = { ...(this.#waiting.shift() as Asked), connection: this.#freeConnections.pop() as number };
      const { id, connection, question } = running;
      this.#running.set(id, running);
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ id, connection, question } satisfies ToThread);
    }
    if (this.#running.size > 0) return;
    // A process that has nothing else to do may end.
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
  }

  #start(): Worker {
    const options = { name: 'searches', execArgv: [], env: environment(), resourceLimits: MEMORY };
    const worker = new Worker(this.#deps.entry, { ...options, workerData: this.#deps.data });
    worker.on('message', (message: FromThread) => this.#receive(worker, message));
    // Without a listener, an error that ends the thread would end the process, too.
    worker.on('error', (cause) => this.#lose(worker, cause));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #receive(worker: Worker, message: FromThread): void {
    const asked = this.#running.get(message.id);
    if (worker !== this.#worker || !asked) return;
    this.#running.delete(asked.id);
    this.#freeConnections.push(asked.connection);
    finish(asked, 'answer' in message ? message : { error: this.#toError(message.failed) });
    this.#beginNext();
  }

  #toError(failed: ThreadError): Error {
    if (failed.kind === 'unexpected') return Object.assign(new Error(failed.message), { stack: failed.stack });
    const failure = new DatabaseUnavailable(failed.reason, { isTransient: failed.isTransient });
    this.#deps.report(failure);
    return failure;
  }

  /** A question that has begun keeps its connection until the thread has stopped answering it. */
  #leave(asked: Asked, reason: unknown): void {
    asked.settle({ error: reason });
    if (this.#isTakenFromQueue(asked)) asked.stopTimer();
    else this.#worker?.postMessage({ cancelled: asked.id } satisfies ToThread);
  }

  /** A thread that does not answer is ended, because it may never answer anybody again. */
  #giveUp(asked: Asked): void {
    asked.settle({ error: unavailable('the search took too long. Add a word or another filter') });
    if (!this.#isTakenFromQueue(asked)) this.#end();
  }

  #isTakenFromQueue(asked: Asked): boolean {
    const index = this.#waiting.indexOf(asked);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  #lose(worker: Worker, cause?: unknown): void {
    if (worker === this.#worker) this.#end(cause);
  }

  /** The questions of the thread fail, and those that wait begin in a new one. */
  #end(cause?: unknown): void {
    clearTimeout(this.#idle);
    const ended = this.#worker?.terminate();
    this.#worker = undefined;
    if (ended) {
      this.#ending.add(ended);
      void ended.finally(() => this.#ending.delete(ended));
    }
    for (const asked of this.#running.values()) {
      this.#freeConnections.push(asked.connection);
      finish(asked, { error: interrupted(cause) });
    }
    this.#running.clear();
    if (this.#waiting.length > 0) this.#beginNext();
  }
}

/** With what the process has compiled before, a thread starts in less time. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // Node adds a folder of its version to it.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

function finish(asked: Asked, result: Result): void {
  asked.stopTimer();
  asked.settle(result);
}

function interrupted(cause?: unknown): Failure {
  return unavailable('the search was interrupted. Try again', cause);
}

function unavailable(reason: string, cause?: unknown): Failure {
  const message = `Service temporarily unavailable: ${reason}.`;
  return new Failure('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
