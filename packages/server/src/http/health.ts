import { Type } from 'typebox';
import { Failure } from '../domain/failure.ts';
import { successAnswer } from './answer.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Route } from './route.ts';

export interface HealthDeps {
  /** Fails with the reason when the listener cannot do its work: the database must answer, and an API must be able to sign. */
  ping(): Promise<void>;
  /** Fails with the reason when the database cannot be written to. */
  requireWritable(): Promise<void>;
  lifecycle: Lifecycle;
}

export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

const HealthStatus = Type.Object({ status: Type.String() });

/**
 * `/healthz` says that the process answers, `/readyz` that the listener can do its work as well, and `/readyz?write` that it can
 * also be written to.
 */
export function healthRoutes({ ping, requireWritable, lifecycle }: HealthDeps): Route<'anyone'>[] {
  return [
    {
      methods: ['GET'],
      path: '/healthz',
      access: 'anyone',
      data: HealthStatus,
      handle: async () => successAnswer({ status: 'alive' }),
    },
    {
      methods: ['GET'],
      path: '/readyz',
      access: 'anyone',
      data: HealthStatus,
      handle: async ({ queryString }) => {
        const mustWrite = asksForWrite(queryString);
        if (lifecycle.stopping) throw new Failure('unavailable', 'Service temporarily unavailable: it is stopping.');
        await ping();
        if (mustWrite) await requireWritable();
        return successAnswer({ status: 'ready' });
      },
    },
  ];
}

/** Refuses other parameters, because a misspelt one that was ignored would be answered as if all were well. */
function asksForWrite(queryString: string): boolean {
  if (queryString === '') return false;
  if (queryString === 'write' || queryString === 'write=') return true;
  throw new Failure('bad_parameter', 'The only parameter of this address is write, without a value: /readyz?write.');
}
