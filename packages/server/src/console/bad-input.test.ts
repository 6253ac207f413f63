import { expect, test } from 'vitest';
import { openTestConsole } from '../testing/test-console.ts';
import { openOnce } from '../testing/when-finished.ts';
import { type ConsoleDeps, consoleRoutes } from './all-routes.ts';

const ROUTES = consoleRoutes({} as ConsoleDeps);

const ODD: unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  '\0',
  '\ud800',
  'x'.repeat(10_000),
  [],
  [null],
  {},
  { toString: 1 },
  '<img>',
  '%_\\',
];

/** Forms with one odd field each, forms with all fields odd, and bodies that are not forms at all. */
function* oddBodies(fields: string[]): Generator<unknown> {
  yield* [null, 1, 'text', [], [[]]];
  for (const odd of ODD) {
    yield Object.fromEntries(fields.map((field) => [field, odd]));
    for (const field of fields) yield { [field]: odd };
  }
}

test('no form, however odd, causes a 5xx or signs a member out', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  for (const { methods, path, body } of ROUTES) {
    if (!body) continue;
    const [method = ''] = methods;
    for (const odd of oddBodies(Object.keys(body.properties))) {
      clock.advance(1);
      const answer = await browser.send(method, path.replace(':environment', 'production').replace(/:\w+/, '1'), odd);
      expect(answer.status, `${method} ${path} ${JSON.stringify(odd)}`).toBeLessThan(500);
      expect(answer.body).toMatchObject({ status_code: answer.status, message: expect.any(String) });
    }
  }
  expect((await browser.get('/console/session')).status).toBe(200);
});

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each(['%00', '%', '%ED%A0%80', '..%2f..%2f', 'x'.repeat(300), '999999999999999', '-1', '__proto__', "'--"])(
  'the identifier %s is not found on any route',
  async (identifier) => {
    const browser = await sharedOwner();
    for (const { methods, path, body } of ROUTES.filter((route) => /:(?!environment)/.test(route.path))) {
      const [method = ''] = methods;
      const address = path.replace(':environment', 'production').replace(/:\w+/, identifier);
      const { status } = await browser.send(method, address, body ? { role: 'viewer', group_name: 'G' } : undefined);
      expect([400, 404, 414], `${method} ${address}`).toContain(status);
    }
  },
);

test.each([
  'clients?page=0',
  'clients?page_limit=101',
  'clients?request_status=done',
  'clients?serach=x',
  'clients?created_from=yesterday',
  'clients?created_from=253402300800000',
  'clients?created_until=9007199254740991',
  'new-clients',
  'new-clients?times=1',
  'new-clients?times=2,1',
  'new-clients?times=1,x',
  'new-clients?times=1,253402300800000',
  `new-clients?times=${Array.from({ length: 61 }, (_, index) => index).join(',')}`,
  'keys?page=1',
])('%s is refused with a message', async (path) => {
  const { status, body } = await (await sharedOwner()).get(`/console/production/${path}`);
  expect(status).toBe(400);
  expect(body.message).toMatch(/\.$|\?$/);
});
