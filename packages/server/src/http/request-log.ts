import type { FastifyInstance } from 'fastify';
import type { Principal } from '../domain/access-token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known; absent on routes that need none. */
    principal: Principal | null;
  }
}

/** One line per request. The route's pattern and never the address: a query string can hold an email. */
export function addRequestLog(app: FastifyInstance): void {
  app.decorateRequest('principal', null);
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        workspace: request.principal?.workspaceId,
        key: request.principal?.keyId,
      },
      'request',
    );
    done();
  });
}
