import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { Rollcall } from '../packages/client/src/index.ts';
import { type TimedResponse, timedRequest } from './nodes.ts';

const RETRY_MS = 20;

/**
 * Adds clients over HTTP continuously, one after the other per writer. Every request is repeated with its `Idempotency-Key`
 * until it is acknowledged.
 */
export class ApiWriters {
  readonly answers: TimedResponse[] = [];
  /** The emails of the clients that were acknowledged. */
  readonly acknowledged: string[] = [];
  /** When each of them was, in milliseconds. */
  readonly #acknowledgedAt: number[] = [];
  readonly #addresses: readonly string[];
  readonly #token: string;
  #isStopped = false;
  #writing: Promise<unknown> = Promise.resolve();

  /** Each writer uses all of the addresses in turns. */
  constructor(addresses: readonly string[], token: string) {
    this.#addresses = addresses;
    this.#token = token;
    onTestFinished(() => {
      this.#isStopped = true;
    });
  }

  start(writers = 3): this {
    this.#writing = Promise.all(Array.from({ length: writers }, () => this.#write()));
    return this;
  }

  /** Waits until a number of further clients are acknowledged. Only the wait for the next one of them is limited. */
  async acknowledgesMore(clients = 5): Promise<void> {
    const goal = this.acknowledged.length + clients;
    while (this.acknowledged.length < goal) {
      const before = this.acknowledged.length;
      await this.#until(() => this.acknowledged.length > before);
    }
  }

  async isRefused(): Promise<void> {
    const before = this.answers.length;
    await this.#until(() => this.answers.slice(before).some(({ status }) => status === 503));
  }

  /** The longest time between two acknowledgements, from the last one before that many clients were acknowledged. */
  longestPauseMs(clients: number): number {
    const times = this.#acknowledgedAt.slice(Math.max(0, clients - 1));
    return Math.round(Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time))));
  }

  /** Finishes the last requests. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  /** Every acknowledged client is in the list exactly once. */
  async expectNothingLost(address: string): Promise<void> {
    expect(this.acknowledged).not.toEqual([]);
    expect(await this.lost(address)).toEqual([]);
  }

  /** The acknowledged clients that are not in the list, or more than once. */
  async lost(address: string): Promise<string[]> {
    const counts = new Map<string, number>();
    for await (const { email } of new Rollcall({ baseUrl: address, accessToken: this.#token }).clients.list()) {
      counts.set(email, (counts.get(email) ?? 0) + 1);
    }
    return this.acknowledged.filter((email) => counts.get(email) !== 1);
  }

  /** Fails at once if the writers do. */
  async #until(condition: () => boolean): Promise<void> {
    const polling = expect.poll(condition, { interval: RETRY_MS }).toBe(true);
    await Promise.race([polling, this.#writing.then(() => polling)]);
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      const email = `${randomUUID()}@mail.example`;
      const key = randomUUID();
      for (let attempt = 0; !(await this.#isAcknowledged(email, key, attempt)); attempt++) await sleep(RETRY_MS);
      this.acknowledged.push(email);
      this.#acknowledgedAt.push(performance.now());
    }
  }

  async #isAcknowledged(email: string, idempotencyKey: string, attempt: number): Promise<boolean> {
    const address = this.#addresses[attempt % this.#addresses.length];
    const body = { email, client_name: 'Ada', client_type: 'individual', group_name: 'Writers' };
    try {
      const answer = await timedRequest(`${address}/api/v1/clients/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(body),
      });
      this.answers.push(answer);
      // The first attempt may still be running where its answer was lost.
      const isRunning = answer.status === 409 && answer.retryAfter !== null;
      if (!isRunning) expect([201, 503], answer.body.message).toContain(answer.status);
      return answer.status === 201;
    } catch (error) {
      // Connections break when a node is killed, and are refused until it is started again.
      if (!(error instanceof TypeError)) throw error;
      return false;
    }
  }
}
