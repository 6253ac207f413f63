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
export async function addPages(app: FastifyInstance, folder: string): Promise<void> {
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
    },
  });
  for (const file of ['favicon.svg', 'colour-scheme.js']) {
    app.get(`/${file}`, (_request, reply) => reply.header('Cache-Control', REVALIDATE).sendFile(file, folder));
  }
  app.get('/*', (request, reply) => sendPage(request, reply, folder));
}

function sendPage(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  if (/^\/(console|assets)(\/|$)/.test(request.url)) {
    reply.callNotFound();
    return reply;
  }
  return reply.sendFile('index.html', folder);
}
