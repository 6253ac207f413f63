import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { type ContentEncoding, chooseEncoding, compress } from '../http/content-encoding.ts';
import { valuesOf } from '../http/header-list.ts';
import type { HttpServer } from '../http/server.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { openApiDocument } from './document.ts';

const PREFIX = '/docs';
const SCRIPT = `${PREFIX}/js/scalar.js`;
const JAVASCRIPT = 'text/javascript; charset=utf-8';
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
    <script src="${SCRIPT}"></script>
    <script src="${PREFIX}/start.js"></script>
  </body>
</html>
`;

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)});\n`;

/** Adds the OpenAPI document, and a page on which it can be read and tried out. */
export function addDocs(app: HttpServer): void {
  let document: ReturnType<typeof openApiDocument> | undefined;
  // Made when somebody asks for it, because that takes longer than everything else that opens the API.
  app.get('/openapi.json', async () => {
    document ??= openApiDocument();
    return document;
  });
  app.get(PREFIX, (_request, reply) =>
    reply.header('Content-Security-Policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
  app.get(`${PREFIX}/start.js`, (_request, reply) => reply.type(JAVASCRIPT).send(START));
  app.get(`${PREFIX}/icon.svg`, (_request, reply) => reply.type('image/svg+xml; charset=utf-8').send(ICON));
  addScriptInPieces(app);
}

/** The script is sent in pieces of this size, as fast as the caller takes them. */
const PIECE_BYTES = 16 * 1024;

/**
 * Four megabytes at once would wait in memory for every caller that does not read them, and some twenty such callers would
 * fill the backlog of the whole process. In pieces, all callers share one copy.
 */
function addScriptInPieces(app: HttpServer): void {
  const scripts = new Map<ContentEncoding | undefined, Promise<Buffer>>();
  app.get(SCRIPT, async (request, reply) => {
    const encoding = chooseEncoding(valuesOf(request.raw.rawHeaders, 'accept-encoding'));
    const loading = scripts.get(encoding) ?? loadScript(encoding);
    scripts.set(encoding, loading);
    // A failure is not remembered.
    loading.catch(() => scripts.delete(encoding));
    const script = await loading;
    reply.header('Content-Length', script.length);
    if (encoding !== undefined) reply.header('Content-Encoding', encoding);
    return reply
      .type(JAVASCRIPT)
      .send(Readable.from(pieces(script), { objectMode: false, highWaterMark: PIECE_BYTES }));
  });
}

/**
 * Only the script of the package is used: its page has inline scripts and another title, and it trusts the Host header. It is
 * loaded when somebody asks for it, because it would take a third of the time that the service needs to start.
 */
async function loadScript(encoding: ContentEncoding | undefined): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(reference, { routePrefix: PREFIX, configuration: { url: CONFIGURATION.url } });
  const { statusCode, rawPayload } = await app.inject(SCRIPT);
  await app.close();
  if (statusCode !== 200) throw new Error('The script of the API reference cannot be loaded.');
  return encoding === undefined ? rawPayload : compress(rawPayload, encoding);
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
