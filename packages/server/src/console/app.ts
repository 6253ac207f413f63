import { commonHeaders } from '../http/common-headers.ts';
import type { HeaderList } from '../http/header-list.ts';
import { type HealthDeps, healthRoutes } from '../http/health.ts';
import { FORM_TYPE, JSON_BODY } from '../http/read-body.ts';
import { type HttpServer, newServer } from '../http/server.ts';
import type { ServerDeps } from '../http/server-deps.ts';
import { type ConsoleDeps, consoleRoutes } from './all-routes.ts';
import { type AuthoriseDeps, authorise } from './authorise.ts';
import type { ConsoleAccess } from './define-route.ts';
import { openCookies } from './members/index.ts';
import { checkOrigin } from './origin-check.ts';
import { addPages } from './pages.ts';

export interface DashboardDeps
  extends Omit<ConsoleDeps, 'cookies'>,
    Pick<AuthoriseDeps, 'memberWrites'>,
    Omit<ServerDeps, 'headers'>,
    HealthDeps {
  /** The public origin, when it is not the listener's own. With `https://…` the cookie is sent over HTTPS only. */
  publicUrl: string | undefined;
  /** The folder of the built dashboard. */
  pagesFolder: string;
}

/** Opens the dashboard: the pages that members use in a browser, and the JSON routes that the pages call. */
export async function openConsole(deps: DashboardDeps): Promise<HttpServer> {
  const secure = deps.publicUrl?.startsWith('https://') ?? false;
  const cookies = openCookies({ secure });
  const authoriseDeps = { ...deps, cookies };
  const app = newServer<ConsoleAccess>(
    { ...deps, headers: pageHeaders(deps.publicUrl) },
    {
      routes: [...healthRoutes(deps), ...consoleRoutes({ ...deps, cookies })],
      bodyTypes: [JSON_BODY, 'text/plain', FORM_TYPE],
      ignoresBodies: false,
      checkOrigin: ({ request }) => checkOrigin(request, deps.publicUrl),
      authorise: (context, route) => authorise(authoriseDeps, context, route),
    },
  );
  await addPages(app, { folder: deps.pagesFolder, publicUrl: deps.publicUrl });
  return app;
}

/** Scripts come from our own files only. Styles may be inline, because the component library sets its variables that way. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
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
    // With `no-referrer`, browsers would not say where our own forms come from, and these would be refused.
    referrerPolicy: 'same-origin',
    others: [
      ...['Cross-Origin-Opener-Policy', 'same-origin'],
      ...['Cross-Origin-Resource-Policy', 'same-origin'],
      ...['X-Frame-Options', 'DENY'],
    ],
  });
}
