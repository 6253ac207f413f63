import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Client } from '../generated/api.ts';
import { aFullRecord, aRecord } from './records.ts';

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface Received {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  at: number;
}

export interface ReceivedWrite extends Received {
  method: string | undefined;
  /** As it was sent. */
  body: string;
}

/**
 * A small service on a real socket that follows the contract of the list, cursors and ETags included. It can also be told
 * to reply wrongly, which cannot be tested with the real service.
 */
export class FakeService {
  clients: Client[] = [];
  expiresInSeconds = 3600;
  /** Both are false for a service that supports neither cursors nor ETags. */
  sendsLinks = true;
  sendsEtags = true;
  /** Limits list requests. Without it, there is no limit and no header about one. */
  rateLimit: FakeRateLimit | undefined;
  /** While true, every request is answered with 503. */
  busy = false;
  readonly exchanges: Received[] = [];
  readonly lists: Received[] = [];
  readonly writes: ReceivedWrite[] = [];
  #port = 0;
  #version = 0;
  #validToken = '';
  #atExchange: Reply[] = [];
  #atList: Reply[] = [];
  #atWrite: Reply[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(clients = 0): Promise<FakeService> {
    const service = new FakeService();
    service.clients = Array.from({ length: clients }, (_, index) => aRecord(clients - index));
    await service.#listen(0);
    onTestFinished(() => void service.stop());
    return service;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Sends these replies to the next list requests, one each, and then answers normally again. */
  replyToListsWith(...replies: Reply[]): void {
    this.#atList.push(...replies);
  }

  /** Sends this data to every request that reads. */
  alwaysReplyToListsWith(data: object): void {
    this.answerNormally = replyWith(data);
  }

  /** Without such a reply, a write is answered with a client that has the fields that were sent. Nothing is stored. */
  replyToWritesWith(...replies: Reply[]): void {
    this.#atWrite.push(...replies);
  }

  replyToExchangesWith(...replies: Reply[]): void {
    this.#atExchange.push(...replies);
  }

  expireTokens(): void {
    this.#validToken = '';
  }

  change(clients: Client[]): void {
    this.clients = clients;
    this.#version++;
  }

  /** From now on connections are refused. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Serves again at the same address. */
  async startAgain(): Promise<void> {
    await this.#listen(this.#port);
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', this.address);
    const received = { path: pathname, query: searchParams, headers: request.headers, at: performance.now() };
    if (pathname.endsWith('/generate-access-token/')) {
      this.exchanges.push(received);
      (this.busy ? refuse : (this.#atExchange.shift() ?? this.#exchange))(response, request);
    } else if (request.method !== 'GET') {
      void this.#answerWrite(received, request, response);
    } else {
      this.lists.push(received);
      if (this.rateLimit?.refuses(response)) return;
      (this.busy ? refuse : (this.#atList.shift() ?? this.answerNormally))(response, request);
    }
  }

  async #answerWrite(received: Received, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.writes.push({ ...received, method: request.method, body });
    const normally = replyWith(aFullRecord(1, body === '' ? {} : JSON.parse(body)), 200, { ETag: '"1"' });
    (this.busy ? refuse : (this.#atWrite.shift() ?? normally))(response, request);
  }

  readonly #exchange: Reply = (response) => {
    this.#validToken = `token-${this.exchanges.length}`;
    send(response, 200, { access_token: this.#validToken, expires_in: this.expiresInSeconds });
  };

  answerNormally: Reply = (response, request) => {
    if (request.headers.authorization !== `Bearer ${this.#validToken}`) return send(response, 401, null);
    const etag = `"${this.#version}"`;
    if (this.sendsEtags) response.setHeader('ETag', etag);
    if (this.sendsEtags && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();

    const { searchParams: query } = new URL(request.url ?? '', this.address);
    const limit = Number(query.get('page_limit') ?? 10);
    const after = query.get('cursor');
    const pageNumber = Number(query.get('page_no') ?? 1);
    const start =
      after === null
        ? (pageNumber - 1) * limit
        : this.clients.findIndex(({ reference_id }) => reference_id === after) + 1;
    const results = this.clients.slice(start, start + limit);
    const last = results.at(-1);
    if (this.sendsLinks) response.setHeader('Link', links(query, limit, start + limit < this.clients.length && last));
    send(response, 200, {
      page_number: pageNumber,
      total_count: this.clients.length,
      page_limit: limit,
      total_pages: Math.ceil(this.clients.length / limit),
      results,
    });
  };
}

/** Calls that come back with time, counted as the real service counts them. */
export class FakeRateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #at = performance.now();
  /** How many requests were refused. */
  refused = 0;

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
  }

  /** Adds the headers, and answers the request if it exceeds the limit. */
  refuses(response: ServerResponse): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    const isRefused = this.#left < 1;
    if (!isRefused) this.#left--;
    const fullIn = Math.ceil((this.#burst - this.#left) / this.#perSecond);
    response.setHeader('RateLimit-Policy', `"api";q=${this.#burst};w=${Math.ceil(this.#burst / this.#perSecond)}`);
    response.setHeader('RateLimit', `"api";r=${isRefused ? 0 : Math.floor(this.#left)};t=${fullIn}`);
    if (!isRefused) return false;
    this.refused++;
    response.setHeader('Retry-After', Math.max(1, Math.ceil((1 - this.#left) / this.#perSecond)));
    send(response, 429, null);
    return true;
  }
}

/** Absolute links with a host that does not exist, as behind a proxy whose address the service does not know. */
function links(query: URLSearchParams, limit: number, last: Client | false | undefined): string {
  const first = `<http://internal.invalid/api/v1/clients-list/?page_limit=${limit}>; rel="first"`;
  if (!last) return first;
  const next = new URLSearchParams(query);
  next.delete('page_no');
  next.set('cursor', last.reference_id);
  return `${first}, <http://internal.invalid/api/v1/clients-list/?${next}>; rel="next"`;
}

const refuse: Reply = (response) => send(response, 503, null);

/** A success with this data. */
export function replyWith(data: unknown, status: 200 | 201 = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    send(response, status, data);
  };
}

function send(response: ServerResponse, status: number, data: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': 'request-1' });
  response.end(JSON.stringify({ status_code: status, message: status < 300 ? 'Success' : 'No.', data }));
}
