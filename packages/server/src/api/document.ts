import { pino } from 'pino';
import { openApi } from './app.ts';
import type { ApiDeps } from './routes.ts';

/** The OpenAPI document without a running service: describing a route calls none of what it depends on. */
export async function openApiDocument(): Promise<object> {
  const unused = {} as ApiDeps;
  const app = await openApi({
    ...unused,
    environment: 'sandbox',
    ping: async () => {},
    lifecycle: { stopping: false },
    logger: pino({ level: 'silent' }),
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
