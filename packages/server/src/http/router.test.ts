import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { emptyAnswer } from './answer.ts';
import type { Method, Route } from './route.ts';
import { Router } from './router.ts';

const route = (methods: Method[], path: string): Route => ({
  methods,
  path,
  access: 'anyone',
  data: Type.Null(),
  handle: async () => emptyAnswer(204, []),
});

const router = new Router([
  route(['GET', 'POST'], '/list/'),
  route(['GET'], '/groups/:name'),
  route(['GET'], '/groups/largest'),
  route(['DELETE'], '/groups/:name/clients/:client'),
]);

test.each<[method: string, url: string, path: string | undefined, parameters?: Record<string, string>]>([
  ['GET', '/list/', '/list/'],
  ['GET', '/list', '/list/'],
  ['HEAD', '/list?x=/groups/y', '/list/'],
  ['POST', '/l%69st/#part', '/list/'],
  ['GET', 'HTTP://anywhere.example/list', '/list/'],
  ['DELETE', '/list', undefined],
  ['GET', '/list//', undefined],
  ['GET', '/List', undefined],
  ['GET', '/%C0%AF', undefined],
  ['OPTIONS', '*', undefined],
  ['GET', '/groups/largest', '/groups/largest'],
  ['GET', '/groups/a%2Fb%20c/', '/groups/:name', { name: 'a/b c' }],
  ['POST', '/groups/a', undefined],
  ['DELETE', '/groups/largest/clients/7', '/groups/:name/clients/:client', { name: 'largest', client: '7' }],
])('%s %s is for the route %s', (method, url, path, parameters = {}) => {
  const found = router.find({ method, url } as IncomingMessage);
  expect(found?.route.path).toBe(path);
  if (path) expect({ ...found?.parameters }).toEqual(parameters);
});

test('the methods of each address are known, with HEAD wherever there is GET', () => {
  expect(router.methodsOf('/list/?a=1')).toEqual(['GET', 'HEAD', 'POST']);
  expect(router.methodsOf('/groups/north')).toEqual(['GET', 'HEAD']);
  expect(router.methodsOf('/nothing')).toEqual([]);
});
