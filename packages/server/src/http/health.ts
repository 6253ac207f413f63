import type { FastifyInstance } from 'fastify';
import { Failure } from '../domain/failure.ts';
import { success } from './envelope.ts';
import type { Lifecycle } from './lifecycle.ts';
import { queryStringOf } from './query.ts';

export interface HealthDeps {
  ping(): Promise<void>;
  /** Fails with the reason when nothing can be written. */
  requireWritable(): Promise<void>;
  lifecycle: Lifecycle;
}

/** Always looked at, however busy the process is: whoever asks decides by the answer what becomes of it. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** `/healthz`: the process answers. `/readyz`: so does the store. `/readyz?write`: and it can be written to. */
export function addHealth(app: FastifyInstance, { ping, requireWritable, lifecycle }: HealthDeps): void {
  app.get('/healthz', async () => success({ status: 'alive' }));
  app.get('/readyz', async ({ raw }) => {
    const mustWrite = readQuestion(queryStringOf(raw.url ?? ''));
    if (lifecycle.stopping) throw new Failure('unavailable', 'Service temporarily unavailable: it is stopping.');
    await ping();
    if (mustWrite) await requireWritable();
    return success({ status: 'ready' });
  });
}

/** A misspelt question that was ignored would be answered with yes. */
function readQuestion(queryString: string): boolean {
  if (queryString === '') return false;
  if (queryString === 'write' || queryString === 'write=') return true;
  throw new Failure('bad_parameter', 'The only parameter of this address is write, without a value: /readyz?write.');
}
