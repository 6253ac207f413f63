import { Readable } from 'node:stream';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { listenAnywhere } from '../testing/listen.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { Backlog } from './backlog.ts';
import { Lifecycle } from './lifecycle.ts';
import { RequestLog } from './request-log.ts';
import type { Route } from './route.ts';
import { newServer } from './server.ts';

test('a file whose headers cannot be written ends its connection and what it is read from', async () => {
  const stream = Readable.from(['content']);
  let closed = 0;
  const route: Route = {
    methods: ['GET'],
    path: '/file',
    access: undefined,
    data: Type.Any(),
    handle: async () => ({
      status: 200,
      headers: ['Content-Disposition', 'attachment; filename="cafā.csv"'],
      stream,
      close: async () => {
        closed++;
      },
    }),
  };
  const app = newServer(
    {
      logger: pino({ level: 'silent' }),
      requestLog: new RequestLog(undefined, 'test'),
      lifecycle: new Lifecycle(),
      backlog: new Backlog(),
      headers: [],
    },
    { routes: [route], bodyTypes: [], ignoresBodies: true, authorise: async () => ({}) },
  );
  const address = await listenAnywhere(app);
  await expect(rawRequest(address, 'GET /file HTTP/1.1\r\nHost: x\r\n\r\n')).rejects.toThrow('closed after 0 bytes');
  expect(stream.destroyed).toBe(true);
  expect(closed).toBe(1);
});
