import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** What the listeners of one process know about its life. */
export interface Lifecycle {
  stopping: boolean;
}

/** Callers that are at work in this time hear that the connection closes; load balancers see that we are not ready. */
const DRAIN_MS = 300;

/** How long a request that was already being answered may still take. */
const IN_FLIGHT_TIMEOUT_MS = 5000;

const LOOK_AGAIN_MS = 20;

/** Stops the listeners without cutting anybody off: drains, stops accepting, finishes what is in flight. */
export async function stopServers(servers: readonly FastifyInstance[], lifecycle: Lifecycle): Promise<void> {
  lifecycle.stopping = true;
  await sleep(DRAIN_MS);
  await Promise.all(servers.map(closeServer));
}

/** A connection that was busy when closing began is kept open by its caller afterwards, so it is looked at again. */
async function closeServer(app: FastifyInstance): Promise<void> {
  const deadline = performance.now() + IN_FLIGHT_TIMEOUT_MS;
  const timer = setInterval(() => {
    if (performance.now() > deadline) app.server.closeAllConnections();
    else app.server.closeIdleConnections();
  }, LOOK_AGAIN_MS);
  await app.close();
  clearInterval(timer);
}
