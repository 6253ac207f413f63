import type { Worker } from 'node:cluster';
import type { KeyFacts, Lease, LeaseRequest } from '../../domain/credentials/index.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { Service } from '../../service.ts';

/** Tells a process that API keys were changed. The confirmation repeats the number that the sender gave the message. */
export interface ChangedKeys {
  changedKeys: readonly KeyFacts[];
  messageNumber: number;
}

/** Asks for calls from the shared buckets of rate limits. The answer repeats the number. */
export interface LeaseQuestion {
  leaseRequests: readonly LeaseRequest[];
  questionNumber: number;
}

export interface LeaseAnswer {
  leases: readonly Lease[];
  questionNumber: number;
}

/** What a worker has counted so far. With `questionNumber`, it answers a question, and says what is true now as well. */
export interface MetricsReport {
  counters: Metric[];
  gauges?: Metric[];
  questionNumber?: number;
}

/** A message from a worker to the primary process. */
export type WorkerMessage =
  | { addresses: Service['addresses'] }
  | { failed: string }
  | ChangedKeys
  | LeaseQuestion
  | MetricsReport
  /** It follows the changes in this message. */
  | { confirmed: number }
  /** It is stopping, and was given this many connections so far. */
  | { readyToClose: number };

/** A message from the primary process to a worker. */
export type PrimaryMessage =
  /** Until then, the worker stands by. */
  | { serve: true }
  | { drain: true }
  | { stop: true }
  /** Asks a worker that is ready to close how many connections it was given meanwhile. */
  | { isStillReady: true }
  /** The listeners of the workers that are stopping are closed. */
  | { closed: true }
  | ChangedKeys
  | LeaseAnswer
  /** Asks for metrics. */
  | { metricsQuestion: number }
  /** All other workers follow the changes in this message, too. */
  | { confirmedByAll: number };

/** Ignores a worker that has already exited: the cluster reports its exit. */
export function sendToWorker(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
