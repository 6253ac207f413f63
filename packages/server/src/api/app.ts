import { commonHeaders } from '../http/common-headers.ts';
import { addHealth, type HealthDeps } from '../http/health.ts';
import { type HttpServer, newServer } from '../http/server.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { addDocs } from './docs.ts';
import type { EndpointDeps } from './endpoint.ts';
import { endpointsOf } from './endpoints.ts';
import { type ApiDeps, routes } from './routes.ts';

export interface PublicApiDeps extends ApiDeps, Omit<EndpointDeps & ServerDeps, 'headers' | 'front'>, HealthDeps {
  /** The public origin, when it is not the listener's own. */
  publicUrl: string | undefined;
}

/** The public API of one environment. */
export async function openApi(deps: PublicApiDeps): Promise<HttpServer> {
  const headers = commonHeaders(deps);
  const app = newServer({ ...deps, headers, front: endpointsOf({ ...deps, headers }, routes(deps)) });
  ignoreBodies(app);
  addHealth(app, deps);
  await addDocs(app);
  return app;
}

/** No address takes a body, so none is read, whatever its type claims to be. */
function ignoreBodies(app: HttpServer): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.method === 'POST') delete raw.headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
