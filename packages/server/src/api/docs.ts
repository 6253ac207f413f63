import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, chooseEncoding, compress } from '../http/content-encoding.ts';
import { valuesOf } from '../http/header-list.ts';
import type { HttpServer } from '../http/server.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { openApiDocument } from './document.ts';

const PREFIX = '/docs';
const ICON = readFileSync(new URL('src/api/docs-icon.svg', PACKAGE_FOLDER), 'utf8');

/** Everything comes from this listener. Styles may be inline, because the reference page creates its own while it runs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference page without links to its vendor, and without anything that would be sent to them. */
const CONFIGURATION = {
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  customCss: 'a[href*="scalar.com"] { display: none; }',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Rollcall API</title>
    <link rel="icon" href="${PREFIX}/icon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="app"></div>
    <script src="${PREFIX}/js/scalar.js"></script>
    <script src="${PREFIX}/start.js"></script>
  </body>
</html>
`;

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)});\n`;

/** Adds the OpenAPI document, and a page on which it can be read and tried out. */
export async function addDocs(app: HttpServer): Promise<void> {
  const document = openApiDocument();
  app.get('/openapi.json', async () => document);
  app.get(`${PREFIX}/start.js`, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  app.get(`${PREFIX}/icon.svg`, (_request, reply) => reply.type('image/svg+xml; charset=utf-8').send(ICON));
  addScriptInPieces(app);
  await app.register(scalar, {
    routePrefix: PREFIX,
    configuration: { url: CONFIGURATION.url },
    hooks: { onRequest: sendOwnPage },
  });
}

/** The script is sent in pieces of this size, as fast as the caller takes them. */
const PIECE_BYTES = 16 * 1024;

/**
 * Four megabytes at once would wait in memory for every caller that does not read them, and some twenty such callers would
 * fill the backlog of the whole process. In pieces, all callers share one copy.
 */
function addScriptInPieces(app: HttpServer): void {
  const scripts = new Map<ContentEncoding | undefined, Buffer>();
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.url?.endsWith('/scalar.js') || typeof payload !== 'string') return done(null, payload);
    const encoding = chooseEncoding(valuesOf(request.raw.rawHeaders, 'accept-encoding'));
    const script = scripts.get(encoding) ?? encode(payload, encoding);
    scripts.set(encoding, script);
    reply.header('Content-Length', script.length);
    if (encoding !== undefined) reply.header('Content-Encoding', encoding);
    done(null, Readable.from(pieces(script), { objectMode: false, highWaterMark: PIECE_BYTES }));
  });
}

function encode(text: string, encoding: ContentEncoding | undefined): Buffer {
  const plain = Buffer.from(text);
  return encoding === undefined ? plain : compress(plain, encoding);
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}

/** Only the plugin's script is used. Its page has inline scripts and another title, and it trusts the Host header. */
function sendOwnPage(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.routeOptions.url?.endsWith('.js')) done();
  else reply.header('Content-Security-Policy', POLICY).type('text/html; charset=utf-8').send(PAGE);
}
