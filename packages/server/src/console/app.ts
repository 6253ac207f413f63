import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { addHealth, type HealthDeps } from '../http/health.ts';
import { type HttpServer, newServer, type ServerDeps } from '../http/server.ts';
import { addRoute } from './add-route.ts';
import { addOriginCheck } from './origin-check.ts';
import { addPages } from './pages.ts';
import { type ConsoleDeps, routes } from './routes.ts';
import { SessionCookie } from './session-cookie.ts';

export interface DashboardDeps extends ConsoleDeps, ServerDeps, HealthDeps {
  /** The public origin, when it is not the listener's own; `https://…` hardens the cookie. */
  publicUrl: string | undefined;
  /** Where the built dashboard is. */
  pagesFolder: string;
}

/** What account holders open in a browser, and the JSON that it lives on. */
export async function openConsole(deps: DashboardDeps): Promise<HttpServer> {
  const secure = deps.publicUrl?.startsWith('https://') ?? false;
  const app = newServer(deps);
  await app.register(helmet, securityHeaders(secure));
  await app.register(cookie);
  addOriginCheck(app, deps.publicUrl);
  addHealth(app, deps);
  app.setValidatorCompiler(() => () => true);
  const routeDeps = { ...deps, cookie: new SessionCookie({ secure }) };
  for (const route of routes(deps)) addRoute(app, routeDeps, route);
  await addPages(app, deps.pagesFolder);
  return app;
}

/** Scripts come from our own files only. Styles may be inline: the component library sets its variables that way. */
function securityHeaders(secure: boolean) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
    xFrameOptions: { action: 'deny' as const },
    strictTransportSecurity: secure && { maxAge: 31_536_000, includeSubDomains: false },
  };
}
