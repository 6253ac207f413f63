import { commonHeaders } from '../http/common-headers.ts';
import { type HealthDeps, healthRoutes } from '../http/health.ts';
import { type HttpServer, newServer } from '../http/server.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';
import { type AuthoriseDeps, authorise } from './authorise.ts';
import type { ApiAccess } from './define-route.ts';
import { addDocs } from './docs.ts';

export interface PublicApiDeps extends ApiDeps, AuthoriseDeps, Omit<ServerDeps, 'headers'>, HealthDeps {
  /** The public origin, when it is not the listener's own. */
  publicUrl: string | undefined;
}

/** Opens the public API of one environment. */
export async function openApi(deps: PublicApiDeps): Promise<HttpServer> {
  const app = newServer<ApiAccess>(
    { ...deps, headers: commonHeaders(deps) },
    {
      routes: [...healthRoutes(deps), ...apiRoutes(deps)],
      readsBodies: false,
      authorise: (context, route) => authorise(deps, context, route),
    },
  );
  await addDocs(app);
  return app;
}
