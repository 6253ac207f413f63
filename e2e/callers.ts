import { Agent, request as startRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { pause } from './pause.ts';

export interface CallResult {
  status: number;
  /** Whether the response closes the connection. */
  isLast: boolean;
}

/** Sends requests to one address over a single connection, each soon after the previous response was read. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly answers: CallResult[] = [];
  /** The errors of requests that were sent but not answered. */
  readonly lost: string[] = [];
  #isStopped = false;
  #calling: Promise<void> | undefined;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
    onTestFinished(() => this.#agent.destroy());
  }

  /** Calls until `stop` is called or the connection is refused. */
  start(): this {
    this.#calling = this.#callUntilStopped();
    return this;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#calling;
  }

  /** Resolves with `undefined` if the connection is refused, because the request was never sent. */
  call(): Promise<CallResult | undefined> {
    return new Promise((resolve, reject) => {
      const request = startRequest(this.#url, { agent: this.#agent, headers: this.#headers }, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then(() => resolve({ status, isLast: headers.connection === 'close' }), reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') resolve(undefined);
        else reject(error);
      });
      request.end();
    });
  }

  async #callUntilStopped(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const answer = await this.call();
        if (!answer) return;
        this.answers.push(answer);
        if (!answer.isLast) await pause();
      } catch (error) {
        this.lost.push(String(error));
      }
    }
  }
}
