import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const YEAR_SECONDS = 31_536_000;
const NOT_BUILT = 'The dashboard has not been built. Run `npm run build` in the clone, then reload this page.\n';

/** The dashboard's files. Every address that is not a file or a console route is a page of the dashboard. */
export async function addPages(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', async (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT));
    return;
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    cacheControl: false,
    // The names carry a hash of the content, so that a file under one name never changes.
    setHeaders: (reply) => reply.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`),
  });
  for (const file of ['favicon.svg', 'colour-scheme.js']) {
    app.get(`/${file}`, (_request, reply) => reply.sendFile(file, folder));
  }
  app.get('/*', (request, reply) => sendPage(request, reply, folder));
}

function sendPage(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  if (/^\/(console|assets)(\/|$)/.test(request.url)) {
    reply.callNotFound();
    return reply;
  }
  return reply.header('Cache-Control', 'no-store').sendFile('index.html', folder);
}
