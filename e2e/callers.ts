import { Agent, request as startRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Called {
  status: number;
  /** Whether the answer asked to come back on another connection. */
  isLast: boolean;
}

/** Somebody who keeps a connection open and calls one address over and over, as soon as the last answer is read. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly answers: Called[] = [];
  /** What became of requests that were sent and not answered. */
  readonly lost: string[] = [];
  #isStopped = false;
  #calling: Promise<void> | undefined;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
    onTestFinished(() => this.#agent.destroy());
  }

  /** Until told to stop, or until nobody listens. */
  start(): this {
    this.#calling = this.#callUntilStopped();
    return this;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#calling;
  }

  /** Nothing when nobody listens there: such a request was never sent. */
  call(): Promise<Called | undefined> {
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
      } catch (error) {
        this.lost.push(String(error));
      }
    }
  }
}
