import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A span in the JSON form of OTLP. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Received {
  resourceSpans: { resource: unknown; scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** A collector of traces that keeps what it receives. */
export class TraceCollector {
  readonly endpoint: string;
  /** Everything that was sent, as it was sent. */
  readonly bodies: string[];

  private constructor(endpoint: string, bodies: string[]) {
    this.endpoint = endpoint;
    this.bodies = bodies;
  }

  static async open(): Promise<TraceCollector> {
    const bodies: string[] = [];
    const endpoint = await listen(async (request, response) => {
      const body = await text(request);
      if (request.url === '/v1/traces') bodies.push(body);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    return new TraceCollector(endpoint, bodies);
  }

  /** The address of one that accepts connections and never answers. */
  static openSilent(): Promise<string> {
    return listen(() => {});
  }

  get spans(): ReceivedSpan[] {
    return this.bodies
      .flatMap((body) => (JSON.parse(body) as Received).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  }
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
