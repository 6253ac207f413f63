import type { IncomingMessage } from 'node:http';

/** Follows a single request through the service. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** What is done within the work belongs to the request. */
  run<T>(work: () => T): T;
  end(answered: { method: string; route: string | null; status: number }): void;
}

export interface RequestTracer {
  /** `startedAt` is as returned by `performance.now()`. */
  begin(request: IncomingMessage, startedAt: number): RequestTrace;
}
