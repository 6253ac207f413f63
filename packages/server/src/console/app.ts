import cookie from '@fastify/cookie';
import type { HeaderList } from '../http/answer.ts';
import { commonHeaders } from '../http/common-headers.ts';
import { addHealth, type HealthDeps } from '../http/health.ts';
import { type HttpServer, newServer } from '../http/server.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { acceptForms, addRoute, type RouteDeps } from './add-route.ts';
import { SessionCookie } from './members/index.ts';
import { addOriginCheck } from './origin-check.ts';
import { addPages } from './pages.ts';
import { type ConsoleDeps, routes } from './routes.ts';

export interface DashboardDeps
  extends ConsoleDeps,
    Omit<ServerDeps, 'headers'>,
    HealthDeps,
    Pick<RouteDeps, 'fileTimes'> {
  /** The public origin, when it is not the listener's own; `https://…` hardens the cookie. */
  publicUrl: string | undefined;
  /** Where the built dashboard is. */
  pagesFolder: string;
}

/** What account holders open in a browser, and the JSON that it lives on. */
export async function openConsole(deps: DashboardDeps): Promise<HttpServer> {
  const secure = deps.publicUrl?.startsWith('https://') ?? false;
  const app = newServer({ ...deps, headers: pageHeaders(deps.publicUrl) });
  await app.register(cookie);
  addOriginCheck(app, deps.publicUrl);
  addHealth(app, deps);
  app.setValidatorCompiler(() => () => true);
  acceptForms(app);
  const routeDeps = { ...deps, cookie: new SessionCookie({ secure }) };
  for (const route of routes(deps)) addRoute(app, routeDeps, route);
  await addPages(app, deps.pagesFolder);
  return app;
}

/** Scripts come from our own files only. Styles may be inline: the component library sets its variables that way. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageHeaders(publicUrl: string | undefined): HeaderList {
  return commonHeaders({
    publicUrl,
    contentSecurityPolicy: PAGE_POLICY,
    // With none at all, browsers would not say where a form of ours comes from, and it would be refused.
    referrerPolicy: 'same-origin',
    others: [
      ...['Cross-Origin-Opener-Policy', 'same-origin'],
      ...['Cross-Origin-Resource-Policy', 'same-origin'],
      ...['X-Frame-Options', 'DENY'],
    ],
  });
}
