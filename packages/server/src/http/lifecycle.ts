import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** What the listeners of one process know about its start and stop. */
export class Lifecycle {
  /** Set when a stop has begun: `/readyz` says so, and every answer asks its caller to open a new connection. */
  stopping = false;
  /** Requests wait for this promise while the listeners are being closed. */
  closing: Promise<void> | undefined;
  readonly connections = new Set<Socket>();
  /** How many connections there have ever been. */
  accepted = 0;

  trackConnection(socket: Socket): void {
    this.accepted++;
    this.connections.add(socket);
    socket.once('close', () => this.connections.delete(socket));
  }
}

/** Waits for the other processes. It may ask again and again how many connections this process has accepted. */
export type ReadyToClose = (connectionsAccepted: () => number) => Promise<void>;

/** How long a request that was already being answered may still take. */
const IN_FLIGHT_TIMEOUT_MS = 28_000;

/** How long a caller that has connected may take to send the first byte of its request. */
const FIRST_BYTE_MS = 2000;

const LOOK_AGAIN_MS = 250;

/** When no caller has connected for this long, all that wanted to are assumed to have done so. */
const QUIET_MS = 150;
const QUIET_WITHIN_MS = 1500;

/**
 * Stops the listeners without cutting callers off: stops accepting connections, and finishes the requests in flight.
 * `readyToClose` resolves when the other processes that listen on the same addresses are ready to close as well.
 */
export async function stopServers(
  servers: readonly FastifyInstance[],
  lifecycle: Lifecycle,
  readyToClose: ReadyToClose = async () => {},
): Promise<void> {
  lifecycle.stopping = true;
  const listening = servers.filter(({ server }) => server.listening);
  const ended = listening.map(({ server }) => once(server, 'close'));
  await closeListeners(listening, lifecycle, readyToClose);
  const stopLooking = endConnections(listening, lifecycle);
  await Promise.all(ended);
  stopLooking();
  await Promise.all(servers.map((server) => server.close()));
}

/**
 * A caller that is answered may connect again immediately, and a connection that the kernel has taken but we have not accepted
 * is lost when its listener closes. So all answers are held back for a short time: callers that wait do not connect again.
 */
async function closeListeners(
  servers: readonly FastifyInstance[],
  lifecycle: Lifecycle,
  readyToClose: ReadyToClose,
): Promise<void> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  lifecycle.closing = promise;
  try {
    await untilQuiet(lifecycle);
    await readyToClose(() => lifecycle.accepted);
    // Right after the event loop has accepted and read what has arrived. This also ends connections without a request.
    await turnOfTheLoop();
    for (const { server } of servers) if (server.listening) server.close();
  } finally {
    lifecycle.closing = undefined;
    release();
  }
}

async function untilQuiet(lifecycle: Lifecycle): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  let accepted: number;
  do {
    accepted = lifecycle.accepted;
    await sleep(QUIET_MS);
  } while (accepted !== lifecycle.accepted && performance.now() < deadline);
}

/**
 * Ends idle connections again and again, and in the end all connections. A connection that was busy when the listeners
 * closed may be kept open by its caller. It is not ended right after its answer, when the next request is most likely on its way.
 */
function endConnections(servers: readonly FastifyInstance[], lifecycle: Lifecycle): () => void {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const { server } of servers) server.closeIdleConnections();
    for (const socket of lifecycle.connections) {
      if (elapsed > (socket.bytesRead === 0 ? FIRST_BYTE_MS : IN_FLIGHT_TIMEOUT_MS)) socket.destroy();
    }
  }, LOOK_AGAIN_MS);
  return () => clearInterval(timer);
}
