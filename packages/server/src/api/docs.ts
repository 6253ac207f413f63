import scalar from '@scalar/fastify-api-reference';
import type { HttpServer } from '../http/server.ts';
import { openApiDocument } from './document.ts';

/** The OpenAPI document, and a page to read and try it on. */
export async function addDocs(app: HttpServer): Promise<void> {
  const document = openApiDocument();
  app.get('/openapi.json', async () => document);
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      title: 'Rollcall API',
      url: '/openapi.json',
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}
