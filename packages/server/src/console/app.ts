import { ENVIRONMENTS } from '../domain/environment.ts';
import { addHealth, type HealthDeps } from '../http/health.ts';
import { type HttpServer, newServer, type ServerDeps } from '../http/server.ts';

interface ConsoleDeps extends ServerDeps, HealthDeps {
  /** Filled in as the listeners come up. */
  addresses: Readonly<Record<string, string | undefined>>;
}

/** What account holders open in a browser. */
export function openConsole({ addresses, ...deps }: ConsoleDeps): HttpServer {
  const app = newServer(deps);
  addHealth(app, deps);
  app.get('/', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .header('X-Content-Type-Options', 'nosniff')
      .send(statusPage(addresses)),
  );
  return app;
}

/** The addresses are our own, so nothing in here needs escaping. */
function statusPage(addresses: ConsoleDeps['addresses']): string {
  const rows = ENVIRONMENTS.flatMap((environment) => {
    const address = addresses[environment];
    if (!address) return [];
    return `<tr><th scope="row">${environment}</th><td><code>${address}</code></td><td><a href="${address}/docs">API reference</a></td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Rollcall</title>
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto; padding: 0 1.25rem }
  table { border-collapse: collapse; width: 100%; margin: 1.5rem 0 }
  th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #8884; font-weight: inherit }
</style>
<h1>Rollcall is running</h1>
<p>Who are our clients, and where does each stand? Ask one of these addresses.</p>
<table>${rows.join('')}</table>
<p>Make an API key with <code>npx rollcall key create</code>, then follow the API reference.</p>
</html>
`;
}
