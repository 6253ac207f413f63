import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Calls } from './calls.ts';
import {
  type ExpectedClient,
  type ListedClient,
  type Model,
  NEXT_STATUSES,
  REQUEST_STATUSES,
  type RequestStatus,
} from './model.ts';
import type { Pause } from './pause.ts';
import type { Statistics } from './statistics.ts';

export interface WriterDeps {
  calls: Calls;
  model: Model;
  statistics: Statistics;
  pause: Pause;
  /** The header of a token that may write, which is renewed from time to time. */
  authorization(): string;
}

export interface WriterOptions {
  name: string;
  /** How many clients it keeps. When it has so many, it erases one for each that it adds. */
  clients: number;
  perSecond: number;
}

interface OwnClient {
  external_id: string;
  reference_id: string;
}

const CHANGES_PER_ARRIVAL = 3;
const READ_AGAIN_SHARE = 0.5;

/** A program that adds, changes and erases its own clients, one request after the other. */
export class Writer {
  readonly #deps: WriterDeps;
  readonly #options: WriterOptions;
  readonly #own: OwnClient[] = [];
  #added = 0;

  constructor(deps: WriterDeps, options: WriterOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  async fill(): Promise<void> {
    while (this.#own.length < this.#options.clients) await this.#add();
  }

  async run(until: () => boolean): Promise<void> {
    let due = performance.now();
    while (!until()) {
      await this.#deps.pause.wait();
      await this.#changeSomething();
      due = Math.max(due + 1000 / this.#options.perSecond, performance.now() - 1000);
      await sleep(Math.max(0, due - performance.now()));
    }
    this.#deps.pause.leave();
  }

  async #changeSomething(): Promise<void> {
    if (Math.random() * (CHANGES_PER_ARRIVAL + 1) < 1) {
      await this.#add();
      while (this.#own.length > this.#options.clients) await this.#erase();
      return;
    }
    const kind = Math.random();
    if (kind < 0.6) await this.#move();
    else if (kind < 0.75) await this.#moveWrongly();
    else if (kind < 0.9) await this.#rename();
    else await this.#regroup();
  }

  async #add(): Promise<void> {
    const external_id = `${this.#options.name}-${++this.#added}`;
    const client: ExpectedClient = {
      external_id,
      email: `${external_id}@mail.example`,
      client_name: `Client ${external_id}`,
      client_type: Math.random() < 0.5 ? 'individual' : 'company',
      client_status: Math.random() < 0.9 ? 'active' : 'inactive',
      request_status: 'requested',
      group_token: this.#anyGroup(),
    };
    const answer = await this.#send('POST', '/api/v1/clients/', client);
    if (!this.#requireStatus(answer, 201, 'adding')) return;
    this.#deps.model.clients.set(external_id, client);
    this.#own.push({ external_id, reference_id: answer.data.reference_id });
    this.#requireModel(answer.data);
  }

  async #erase(): Promise<void> {
    const index = Math.floor(Math.random() * this.#own.length);
    const [client] = this.#own.splice(index, 1) as [OwnClient];
    const answer = await this.#send('DELETE', `/api/v1/clients/${client.reference_id}/`);
    if (!this.#requireStatus(answer, 200, 'erasing')) return;
    this.#deps.model.clients.delete(client.external_id);
    this.#requireStatus(await this.#read(client), 404, 'reading an erased client');
  }

  /** Takes a client one step further. */
  async #move(): Promise<void> {
    const client = this.#anyClient();
    const { request_status: status } = this.#expected(client);
    await this.#patch(client, { request_status: oneOf(NEXT_STATUSES[status]) });
  }

  /** Tries a step that is not allowed. */
  async #moveWrongly(): Promise<void> {
    const client = this.#anyClient();
    const { request_status: status } = this.#expected(client);
    const allowed: readonly RequestStatus[] = [status, ...NEXT_STATUSES[status]];
    const request_status = oneOf(REQUEST_STATUSES.filter((each) => !allowed.includes(each)));
    const answer = await this.#send('PATCH', `/api/v1/clients/${client.reference_id}/`, { request_status });
    this.#requireStatus(answer, 409, 'a forbidden step');
  }

  async #rename(): Promise<void> {
    const client = this.#anyClient();
    const client_name = `Client ${client.external_id} renamed ${Date.now()}`;
    const path = `/api/v1/clients/by-external-id/${client.external_id}/`;
    const answer = await this.#send('PUT', path, { client_name });
    await this.#changed(client, answer, { client_name });
  }

  async #regroup(): Promise<void> {
    await this.#patch(this.#anyClient(), { group_token: this.#anyGroup() });
  }

  async #patch(client: OwnClient, fields: Partial<ExpectedClient>): Promise<void> {
    const answer = await this.#send('PATCH', `/api/v1/clients/${client.reference_id}/`, fields);
    await this.#changed(client, answer, fields);
  }

  async #changed(client: OwnClient, answer: Answer<ListedClient>, fields: Partial<ExpectedClient>): Promise<void> {
    if (!this.#requireStatus(answer, 200, 'changing')) return;
    this.#deps.model.clients.set(client.external_id, { ...this.#expected(client), ...fields });
    this.#requireModel(answer.data);
    if (Math.random() > READ_AGAIN_SHARE) return;
    const again = await this.#read(client);
    if (this.#requireStatus(again, 200, 'reading a changed client')) this.#requireModel(again.data);
  }

  #read({ reference_id }: OwnClient): Promise<Answer<ListedClient>> {
    const headers = { authorization: this.#deps.authorization() };
    return this.#deps.calls.persistently({ path: `/api/v1/clients/${reference_id}/`, headers });
  }

  #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer<ListedClient>> {
    const headers = {
      authorization: this.#deps.authorization(),
      ...(body && { 'content-type': 'application/json' }),
    };
    return this.#deps.calls.persistently({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  #requireStatus({ status, text }: Answer, expected: number, what: string): boolean {
    if (status !== expected) this.#deps.statistics.failed(`${what} answered ${status}: ${text.slice(0, 300)}`);
    return status === expected;
  }

  #requireModel({ updated_at: _, ...client }: ListedClient & { updated_at?: string }): void {
    const difference = this.#deps.model.differenceOf(client);
    if (difference) this.#deps.statistics.failed(difference);
  }

  #expected({ external_id }: OwnClient): ExpectedClient {
    return this.#deps.model.clients.get(external_id) as ExpectedClient;
  }

  #anyClient(): OwnClient {
    return oneOf(this.#own);
  }

  #anyGroup(): string {
    return oneOf([...this.#deps.model.groups.keys()]);
  }
}

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
