import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { HttpServer } from '../http/server.ts';

/** The OpenAPI document, made from the routes, and a page to read and try it on. */
export async function addDocs(app: HttpServer): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rollcall',
        version: '1',
        description:
          'Who are our clients, and where does each stand? Exchange an API key for an access token, then list clients with it. Every body is an envelope: `status_code`, `message`, `data`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The environment this document was fetched from' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'api-key',
            description: 'Made in the dashboard or with `rollcall key create`.',
          },
          accessToken: { type: 'http', scheme: 'bearer', description: 'From `/api/v1/generate-access-token/`.' },
        },
      },
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
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
