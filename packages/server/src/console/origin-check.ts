import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../domain/failure.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What changes something must come from our own pages: browsers say truthfully where a request was made. */
export function addOriginCheck(app: FastifyInstance, publicUrl: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    if (READING.has(request.method)) return;
    if (request.headers.origin === (publicUrl ?? originOf(request))) return;
    throw new Failure('forbidden', 'This request did not come from the dashboard itself (wrong Origin).');
  });
}

/** Without a public address the dashboard is spoken to directly, over plain HTTP. */
function originOf(request: FastifyRequest): string {
  return `http://${request.headers.host}`;
}
