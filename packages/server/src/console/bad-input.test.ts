import { expect, test } from 'vitest';
import { openTestConsole } from '../testing/test-console.ts';
import { type ConsoleDeps, routes } from './routes.ts';

const ROUTES = routes({} as ConsoleDeps);

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

/** Forms in which one field after the other is odd, and bodies that are no form at all. */
function* oddBodies(fields: string[]): Generator<unknown> {
  yield* [null, 1, 'text', [], [[]]];
  for (const odd of ODD) {
    yield Object.fromEntries(fields.map((field) => [field, odd]));
    for (const field of fields) yield { [field]: odd };
  }
}

test('no form, however odd, gives a 5xx or signs anybody out', async () => {
  const { owner, clock } = await openTestConsole();
  const browser = await owner();
  for (const { method, path, body } of ROUTES) {
    if (!body) continue;
    for (const odd of oddBodies(Object.keys(body.properties))) {
      clock.advance(1);
      const answer = await browser.send(method, path.replace(':environment', 'production').replace(/:\w+/, '1'), odd);
      expect(answer.status, `${method} ${path} ${JSON.stringify(odd)}`).toBeLessThan(500);
      expect(answer.body).toMatchObject({ status_code: answer.status, message: expect.any(String) });
    }
  }
  expect((await browser.get('/console/session')).status).toBe(200);
});

test.each(['%00', '%', '%ED%A0%80', '..%2f..%2f', 'x'.repeat(300), '999999999999999', '-1', '__proto__', "'--"])(
  'the identifier %s is nobody, everywhere',
  async (identifier) => {
    const { owner } = await openTestConsole();
    const browser = await owner();
    for (const { method, path, body } of ROUTES.filter((route) => /:(?!environment)/.test(route.path))) {
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
  'arrivals',
  'arrivals?times=1',
  'arrivals?times=2,1',
  'arrivals?times=1,x',
  'arrivals?times=1,253402300800000',
  `arrivals?times=${Array.from({ length: 61 }, (_, index) => index).join(',')}`,
  'keys?page=1',
])('%s is refused in words', async (path) => {
  const { owner } = await openTestConsole();
  const { status, body } = await (await owner()).get(`/console/production/${path}`);
  expect(status).toBe(400);
  expect(body.message).toMatch(/\.$|\?$/);
});
