import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { MigrationListener } from '../store/migrations/migration-listener.ts';

/** How the thread reports, and how often it says that a migration is still running. */
export interface ReportForm {
  /** Lines that are overwritten on a terminal, lines of text, or lines of the service's log. */
  kind: 'terminal' | 'text' | 'log';
  logLevel: string;
  everyMs: number;
  /** Where text is written to. The log always goes to stderr. */
  descriptor: number;
}

export type ReportMessage =
  | { begun: string; position: number; count: number }
  | { ended: string; milliseconds: number }
  | { close: true };

const STDERR = 2;
const TERMINAL_MS = 1000;
const LINES_MS = 10_000;
/** A thread takes long to start on a busy machine. Later, only an output that nobody reads keeps it from ending. */
const CLOSE_MS = 30_000;

/**
 * Reports how an existing database is upgraded. A thread does it, because SQLite would keep this one from showing that a long
 * migration is still running. It is started only if there is something to report.
 */
export class MigrationReport implements MigrationListener {
  readonly #form: ReportForm;
  #thread: Worker | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(form: ReportForm) {
    this.#form = form;
  }

  onBegin({ name, position, count }: { name: string; position: number; count: number }): void {
    if (!this.#thread) this.#startThread();
    this.#send({ begun: name, position, count });
  }

  onEnd({ name, milliseconds }: { name: string; milliseconds: number }): void {
    this.#send({ ended: name, milliseconds });
  }

  /** Resolves when everything has been written, or cannot be. */
  async close(): Promise<void> {
    if (!this.#thread) return;
    this.#send({ close: true });
    await Promise.race([this.#exited, sleep(CLOSE_MS, undefined, { ref: false })]);
    await this.#thread.terminate();
  }

  #startThread(): void {
    const file = `./migration-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
    const thread = new Worker(new URL(file, import.meta.url), { workerData: this.#form });
    // A database is upgraded even if nobody can be told about it.
    thread.on('error', () => {});
    // From the start, because a thread that fails exits before anybody waits for it.
    this.#exited = new Promise((resolve) => thread.once('exit', resolve));
    this.#thread = thread;
  }

  #send(message: ReportMessage): void {
    this.#thread?.postMessage(message);
  }
}

/** The form for a command, or for a service, whose log has lines of JSON wherever no person reads it. */
export function reportForm(serving: boolean, logLevel: string): ReportForm {
  const isTerminal = process.stderr.isTTY;
  const kind = isTerminal ? 'terminal' : serving ? 'log' : 'text';
  return { kind, logLevel, everyMs: isTerminal ? TERMINAL_MS : LINES_MS, descriptor: STDERR };
}
