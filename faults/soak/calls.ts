import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request as startRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node } from './service.ts';
import type { Statistics } from './statistics.ts';

const ANSWER_TIMEOUT_MS = 60_000;
const REPEAT_MS = 100;
const PERSISTENCE_MS = 600_000;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Instead of the API. */
  onDashboard?: boolean;
}

export interface Answer<Data = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  data: Data;
}

/** Sends requests to the nodes, and counts what becomes of them. */
export class Calls {
  readonly nodes: readonly Node[];
  readonly #statistics: Statistics;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(nodes: readonly Node[], statistics: Statistics) {
    this.nodes = nodes;
    this.#statistics = statistics;
  }

  anyNode(): Node {
    return this.nodes[Math.floor(Math.random() * this.nodes.length)] as Node;
  }

  /** Sends a request once. Without an answer, which is counted, the result is `undefined`. */
  async once<Data>(call: Call, node = this.anyNode()): Promise<Answer<Data> | undefined> {
    const startedAt = performance.now();
    try {
      const answer = await this.#send<Data>(node, call);
      const isShed = answer.status === 503 && answer.headers['retry-after'] !== undefined;
      this.#statistics.answered(answer.status, performance.now() - startedAt, isShed);
      return answer;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const loss = code === 'ECONNREFUSED' ? 'refused' : 'cut';
      this.#statistics.lost(loss);
      if (!node.explains(loss)) {
        const ms = Math.round(performance.now() - startedAt);
        this.#statistics.failed(`${call.method ?? 'GET'} ${call.path} of node ${node.name} after ${ms} ms: ${message}`);
      }
      return undefined;
    }
  }

  /**
   * Sends a request until it is answered, to any node. A change has an idempotency key, so that it is made once however often its
   * connection breaks.
   */
  async persistently<Data>(call: Call): Promise<Answer<Data>> {
    const { method = 'GET' } = call;
    const headers = { ...call.headers, ...(method !== 'GET' && { 'idempotency-key': randomUUID() }) };
    const deadline = performance.now() + PERSISTENCE_MS;
    while (performance.now() < deadline) {
      const answer = await this.once<Data>({ ...call, headers });
      const isRunning = answer?.status === 409 && answer.headers['retry-after'] !== undefined;
      if (answer && !isRunning && answer.status !== 429 && answer.status < 500) return answer;
      await sleep(REPEAT_MS);
    }
    throw new Error(`${method} ${call.path} was not answered within ${PERSISTENCE_MS / 1000} s`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send<Data>(node: Node, { method = 'GET', path, headers = {}, body, onDashboard }: Call): Promise<Answer<Data>> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Data>>();
    const base = onDashboard ? node.dashboard : node.address;
    const allHeaders = onDashboard ? { ...headers, origin: base } : headers;
    const options = { method, headers: allHeaders, agent: this.#agent, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
    const sent = startRequest(base + path, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((text) => resolve({ status, headers, text, data: dataOf<Data>(headers, text) }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

function dataOf<Data>(headers: IncomingHttpHeaders, text: string): Data {
  const isJson = headers['content-type']?.startsWith('application/json') && text !== '';
  return (isJson ? (JSON.parse(text) as { data: Data }).data : undefined) as Data;
}
