import type { FastifyInstance } from 'fastify';
import { Failure } from '../domain/failure.ts';
import { success } from './envelope.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface HealthDeps {
  ping(): Promise<void>;
  lifecycle: Lifecycle;
}

/** Always looked at, however busy the process is: whoever asks decides by the answer what becomes of it. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** `/healthz`: the process answers. `/readyz`: so does the store. */
export function addHealth(app: FastifyInstance, { ping, lifecycle }: HealthDeps): void {
  app.get('/healthz', async () => success({ status: 'alive' }));
  app.get('/readyz', async () => {
    if (lifecycle.stopping) throw new Failure('unavailable', 'Service temporarily unavailable: it is stopping.');
    await ping();
    return success({ status: 'ready' });
  });
}
