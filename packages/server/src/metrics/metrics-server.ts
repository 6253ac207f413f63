import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { keepFewConnections } from './few-connections.ts';

/** Prometheus needs one connection. The limit keeps others from taking the files that the service may open. */
const CONNECTIONS_MAX = 16;

/** For the request to arrive, and for its answer to be read. */
const TIMEOUT_MS = 10_000;

/** Longer than the usual interval between two requests of Prometheus. */
const IDLE_TIMEOUT_MS = 75_000;

const PATH = '/metrics';

export interface MetricsServer {
  address: string;
  close(): void;
}

interface MetricsText {
  contentType: string;
  /** Must not fail when only some of the metrics cannot be read. */
  read(): Promise<string>;
}

/** Listens on an address of its own, so that what callers can reach does not contain it. */
export async function openMetricsServer(
  place: { host: string; port: number },
  { contentType, read }: MetricsText,
): Promise<MetricsServer> {
  let reading: Promise<string> | undefined;
  // However many ask at the same time, the metrics are read once.
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const server = createServer(
    {
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      const refusal = refusalOf(request, place.host);
      if (refusal) return refuse(response, refusal);
      readOnce().then(
        (text) => answer(response, 200, text, { 'Content-Type': contentType }),
        () => answer(response, 500, 'The metrics cannot be read at the moment.\n'),
      );
    },
  );
  server.timeout = TIMEOUT_MS;
  keepFewConnections(server, CONNECTIONS_MAX);
  await listen(server, place);
  // It must not keep the process from ending.
  server.unref();
  return {
    address: `http://${withBrackets(place.host)}:${(server.address() as AddressInfo).port}${PATH}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

function refusalOf({ url = '', method = '', headers }: IncomingMessage, ownHost: string): Refusal | undefined {
  if (!isOwnName(headers.host, ownHost)) {
    const message = 'Misdirected request. Ask for the metrics by an IP address, localhost or ROLLCALL_METRICS_HOST.';
    return { status: 421, message };
  }
  if (url.split('?', 1)[0] !== PATH) return { status: 404, message: `Not found. The metrics are at ${PATH}.` };
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, message: 'Method not allowed. Use GET.', headers: { Allow: 'GET, HEAD' } };
}

/**
 * A page of another site can give its own name the address of this listener and so read from it in the browser of somebody who can
 * connect to it. Only such names are refused: an address cannot be given away, and programs of old send no name.
 */
function isOwnName(given: string | undefined, ownHost: string): boolean {
  if (given === undefined) return true;
  const [, inBrackets, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(given) ?? [];
  const host = (inBrackets ?? name).toLowerCase();
  return isIP(host) !== 0 || host === 'localhost' || host === ownHost.toLowerCase();
}

/** The connection ends with it, because Prometheus never asks like this. */
function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  answer(response, status, `${message}\n`, { ...headers, Connection: 'close' });
}

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function listen(server: Server, place: { host: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(place, resolve);
  return promise;
}

function withBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
