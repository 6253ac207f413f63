import type { Worker } from 'node:cluster';
import { BucketsInMemory, type Lease, type LeaseRequest, type SharedBuckets } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import { type LeaseAnswer, type LeaseQuestion, sendToWorker, type WorkerMessage } from './worker-messages.ts';

/** No call waits this long for the answer. It only limits how many questions to a primary process that hangs are remembered. */
const ANSWER_TIMEOUT_MS = 1000;

/** Runs in the primary process: keeps the buckets of rate limits from which all workers of the machine lease calls. */
export class SharedRateLimits {
  readonly #buckets = new BucketsInMemory(() => performance.now());

  handleMessage(worker: Worker, message: WorkerMessage): void {
    if ('leaseRequests' in message) void this.#answer(worker, message);
  }

  async #answer(worker: Worker, { leaseRequests, questionNumber }: LeaseQuestion): Promise<void> {
    sendToWorker(worker, { leases: await this.#buckets.lease(leaseRequests), questionNumber });
  }
}

/** Runs in a worker: the buckets of the primary process. */
export class BucketsOfPrimary implements SharedBuckets {
  readonly #send: (question: LeaseQuestion) => void;
  readonly #unanswered = new Map<number, (leases: readonly Lease[]) => void>();
  #lastQuestion = 0;

  constructor(send: (question: LeaseQuestion) => void) {
    this.#send = send;
  }

  lease(requests: readonly LeaseRequest[]): Promise<Lease[]> {
    const questionNumber = ++this.#lastQuestion;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#unanswered.delete(questionNumber);
        reject(new Failure('unavailable', 'The primary process does not answer.'));
      }, ANSWER_TIMEOUT_MS).unref();
      this.#unanswered.set(questionNumber, (leases) => {
        clearTimeout(timer);
        resolve([...leases]);
      });
      this.#send({ leaseRequests: requests, questionNumber });
    });
  }

  handleAnswer({ leases, questionNumber }: LeaseAnswer): void {
    this.#unanswered.get(questionNumber)?.(leases);
    this.#unanswered.delete(questionNumber);
  }
}
