// Types for the parts of autocannon that the benchmark uses. The package has no types itself.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    /** Called whenever the request is sent. */
    setupRequest?(request: Request): Request;
  }

  export interface Client {
    setRequests(requests: Request[]): void;
  }

  export interface Options {
    url: string;
    connections: number;
    duration: number;
    timeout: number;
    sampleInt: number;
    setupClient(client: Client): void;
  }

  export interface Instance extends EventEmitter, PromiseLike<unknown> {
    stop(): void;
    on(
      event: 'response',
      listener: (client: Client, status: number, bytes: number, milliseconds: number) => void,
    ): this;
    on(event: 'reqError', listener: (error: Error) => void): this;
  }

  export default function autocannon(options: Options): Instance;
}
