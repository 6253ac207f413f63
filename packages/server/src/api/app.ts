import { commonHeaders } from '../http/common-headers.ts';
import { CrossOrigin } from '../http/cross-origin.ts';
import { type HealthDeps, healthRoutes } from '../http/health.ts';
import { JSON_BODY } from '../http/read-body.ts';
import { type HttpServer, newServer } from '../http/server.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';
import { type AuthoriseDeps, authorise } from './authorise.ts';
import type { ApiAccess } from './define-route.ts';
import { addDocs } from './docs.ts';

export interface PublicApiDeps extends ApiDeps, AuthoriseDeps, Omit<ServerDeps, 'headers'>, HealthDeps {
  /** The public origin, when it is not the listener's own. */
  publicUrl: string | undefined;
  /** The origins of web pages that may call the API from a browser. */
  corsOrigins: readonly string[];
}

/** Opens the public API of one environment. */
export async function openApi(deps: PublicApiDeps): Promise<HttpServer> {
  const crossOrigin = new CrossOrigin(deps.corsOrigins);
  const app = newServer<ApiAccess>(
    { ...deps, crossOrigin, headers: commonHeaders({ ...deps, vary: crossOrigin.vary }) },
    {
      routes: [...healthRoutes({ ...deps, ping: () => requireSigning(deps) }), ...apiRoutes(deps)],
      bodyTypes: [JSON_BODY],
      ignoresBodies: true,
      unknownAddress: 'Not found. The API reference is at /docs.',
      authorise: (context, route) => authorise(deps, context, route),
    },
  );
  addDocs(app);
  return app;
}

/** A node that cannot sign access tokens turns away every new caller, so it should get none. */
async function requireSigning({ ping, signingKeys }: PublicApiDeps): Promise<void> {
  await ping();
  signingKeys.current();
}
