import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For files whose names contain a hash of their content, so that the content behind a name never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

/** For other files: browsers keep them, but ask each time whether they have changed. */
const REVALIDATE = 'no-cache';

const NOT_BUILT = 'The dashboard has not been built. Run `npm run build` in the clone, then reload this page.\n';

/** Adds the files of the dashboard. Every address that is neither a file nor a console route is a page, which is never cached. */
export async function addPages(
  app: FastifyInstance,
  { folder, publicUrl }: { folder: string; publicUrl: string | undefined },
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', async (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT));
    return;
  }
  const assets = join(folder, 'assets') + sep;
  await app.register(fastifyStatic, {
    root: assets,
    prefix: '/assets/',
    preCompressed: true,
    cacheControl: false,
    // Called for everything that `sendFile` sends, including pages.
    setHeaders: (reply, path) => {
      if (path.startsWith(assets)) reply.header('Cache-Control', FOREVER);
      if (path.endsWith('.svg')) reply.header('Content-Type', 'image/svg+xml; charset=utf-8');
    },
  });
  for (const file of ['favicon.svg', 'colour-scheme.js']) {
    app.get(`/${file}`, (_request, reply) => reply.header('Cache-Control', REVALIDATE).sendFile(file, folder));
  }
  app.get('/*', (request, reply) => {
    const elsewhere = publicUrl === undefined ? addressByName(request.headers.host) : undefined;
    return elsewhere ? reply.redirect(elsewhere + request.url, 307) : sendPage(request, reply, folder);
  });
}

/** Passkeys belong to a name, so whoever comes by the address of this machine is sent to its name. */
function addressByName(host = ''): string | undefined {
  const port = /^(?:127\.0\.0\.1|\[::1\])(:\d+)?$/.exec(host);
  return port ? `http://localhost${port[1] ?? ''}` : undefined;
}

function sendPage(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  if (/^\/(console|assets)(\/|$)/.test(request.url)) {
    reply.callNotFound();
    return reply;
  }
  return reply.sendFile('index.html', folder);
}
