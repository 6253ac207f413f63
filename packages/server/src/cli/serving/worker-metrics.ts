import type { Worker } from 'node:cluster';
import { addUp } from '../../metrics/add-up.ts';
import { counter, type Metric, type ProcessMetrics } from '../../metrics/metric.ts';
import type { MetricsReport } from './worker-messages.ts';
import { sendToWorker, type WorkerMessage } from './worker-messages.ts';

/** A worker that is busy for longer is left out: its counters are known from before, and its gauges are missing once. */
const ANSWER_TIMEOUT_MS = 2000;

interface Question {
  waitingFor: Set<Worker>;
  gauges: Metric[][];
  answered(): void;
}

/** Runs in the primary process: adds up what the workers have counted, including those that have ended. */
export class WorkerMetrics implements ProcessMetrics {
  /** The last report of each worker that is running. */
  readonly #running = new Map<Worker, Metric[]>();
  readonly #questions = new Map<number, Question>();
  readonly #own: ProcessMetrics;
  #ended: Metric[] = [];
  #exits = 0;
  #lastQuestion = 0;

  /** `own` are the metrics of the primary process itself. */
  constructor(own: ProcessMetrics) {
    this.#own = own;
  }

  handleMessage(worker: Worker, message: WorkerMessage): void {
    if ('addresses' in message) this.#running.set(worker, []);
    if ('counters' in message && this.#running.has(worker)) this.#note(worker, message);
  }

  /** What it has counted stays, so that no sum ever falls. */
  removeWorker(worker: Worker, { isReplaced }: { isReplaced: boolean }): void {
    if (isReplaced) this.#exits++;
    this.#ended = addUp([this.#ended, this.#running.get(worker) ?? []]);
    this.#running.delete(worker);
    for (const question of this.#questions.values()) this.#settle(question, worker);
  }

  counters(): Metric[] {
    const replaced = 'Workers that have ended by themselves and were replaced.';
    return addUp([
      this.#ended,
      ...this.#running.values(),
      this.#own.counters(),
      [counter('rollcall_workers_replaced_total', replaced, this.#exits)],
    ]);
  }

  /** Also renews the counters of all workers that answer in time. */
  async gauges(): Promise<Metric[]> {
    const number = ++this.#lastQuestion;
    const { promise, resolve } = Promise.withResolvers<void>();
    const question: Question = { waitingFor: new Set(this.#running.keys()), gauges: [], answered: resolve };
    this.#questions.set(number, question);
    const timer = setTimeout(resolve, ANSWER_TIMEOUT_MS);
    for (const worker of question.waitingFor) sendToWorker(worker, { metricsQuestion: number });
    if (question.waitingFor.size > 0) await promise;
    clearTimeout(timer);
    this.#questions.delete(number);
    return addUp([...question.gauges, await this.#own.gauges()]);
  }

  #note(worker: Worker, { counters, gauges, questionNumber }: MetricsReport): void {
    this.#running.set(worker, counters);
    const question = questionNumber === undefined ? undefined : this.#questions.get(questionNumber);
    if (!question) return;
    if (gauges) question.gauges.push(gauges);
    this.#settle(question, worker);
  }

  #settle({ waitingFor, answered }: Question, worker: Worker): void {
    waitingFor.delete(worker);
    if (waitingFor.size === 0) answered();
  }
}
