import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Backlog } from './backlog.ts';

/** What the listeners of one process know about its life. */
export class Lifecycle {
  /** Load balancers see that we are not ready, and every answer asks its caller to come back on another connection. */
  stopping = false;
  /** While the listeners are being closed, requests wait for this. */
  closing: Promise<void> | undefined;
  readonly connections = new Set<Socket>();
  /** How many connections there have ever been. */
  accepted = 0;

  follow(socket: Socket): void {
    this.accepted++;
    this.connections.add(socket);
    socket.once('close', () => this.connections.delete(socket));
  }
}

/** While stopping, every answer asks its caller to come back on another connection, unless the caller has asked for more on this one. */
export function endsAfter(
  { socket }: IncomingMessage,
  { lifecycle, backlog }: { lifecycle: Lifecycle; backlog: Backlog },
): boolean {
  return lifecycle.stopping && !backlog.isHolding(socket);
}

/** How long a request that was already being answered may still take. */
const IN_FLIGHT_TIMEOUT_MS = 28_000;

/** A caller that has connected may take this long to say what it wants. */
const FIRST_BYTE_MS = 2000;

const LOOK_AGAIN_MS = 250;

/** Everybody who wanted to connect has done so when nobody has for this long. */
const QUIET_MS = 150;
const QUIET_WITHIN_MS = 1500;

/**
 * Stops the listeners without cutting anybody off: stops accepting, and finishes what is in flight. `readyToClose` resolves
 * when other processes that listen on the same addresses are ready, too.
 */
export async function stopServers(
  servers: readonly FastifyInstance[],
  lifecycle: Lifecycle,
  readyToClose: () => Promise<void> = async () => {},
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
 * Whoever is answered may come back at once, and a connection that the kernel has taken and we have not accepted is lost
 * when its listener closes. So nobody is answered for a moment; everybody is inside and waits when the doors are closed.
 */
async function closeListeners(
  servers: readonly FastifyInstance[],
  lifecycle: Lifecycle,
  readyToClose: () => Promise<void>,
): Promise<void> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  lifecycle.closing = promise;
  try {
    await untilQuiet(lifecycle);
    await readyToClose();
    // Right after the event loop has accepted and read whatever has arrived. Ends connections without a request, too.
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
 * Ends connections between answers, and at last all of them. One that was busy when the listeners closed may be kept open by
 * its caller; it is not ended right after its answer, when the next request is most likely to be on its way.
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
