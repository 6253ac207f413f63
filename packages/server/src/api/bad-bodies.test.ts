import { expect, test } from 'vitest';
import { type ApiCaller, openCaller } from '../testing/api-caller.ts';
import { BAD_BODIES, ODD_VALUES, VALID_CLIENT } from '../testing/fuzz/bad-bodies.ts';
import { openTestApi } from '../testing/test-api.ts';
import { openOnce } from '../testing/when-finished.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';

/** Every route that takes JSON, so that a new one cannot be forgotten. */
const ROUTES = apiRoutes({} as ApiDeps).filter(({ body }) => body !== undefined);

/** Bodies with one odd field each, bodies with nothing else, and bodies that are no objects. */
function* oddBodies(fields: string[]): Generator<unknown> {
  yield* [null, 1, 'text', [], [[]], [{}]];
  for (const odd of ODD_VALUES) {
    yield Object.fromEntries(fields.map((field) => [field, odd]));
    for (const field of fields) yield { [field]: odd };
  }
}

/** A sandbox, which has all routes, with a client that every request could hit. */
async function openScene() {
  const api = await openTestApi();
  const caller = await openCaller(api, 'a@firm.example', { environment: 'sandbox' });
  const { data } = await caller.call('POST', '/api/v1/clients/', {
    ...VALID_CLIENT,
    email: 'old@mail.example',
    external_id: '1',
  });
  const parameters: Record<string, string> = { ...(data as unknown as Record<string, string>) };
  const addressOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '1');
  return { api, caller, addressOf };
}

/** Everything that a request could have changed. */
async function viewOf({ call }: ApiCaller): Promise<unknown> {
  const clients = await call('GET', '/api/v1/clients-list/?include=external_id,updated_at');
  const groups = await call('GET', '/api/v1/groups-list/');
  return [clients.body.data, groups.body.data];
}

const sharedScene = openOnce(openScene);

test.each(BAD_BODIES)(
  'a body that is $what is refused by every route and changes nothing',
  async ({ sent, status, headers }) => {
    const { caller, addressOf } = await sharedScene();
    const before = await viewOf(caller);
    for (const { methods, path } of ROUTES) {
      const [method = ''] = methods;
      const answer = await caller.call(method, addressOf(path), sent, headers);
      expect([answer.status, answer.body?.status_code], `${method} ${path}`).toEqual([status, status]);
      expect(answer.body.message.length).toBeLessThan(300);
    }
    expect(await viewOf(caller)).toEqual(before);
  },
);

test('no field, however odd, causes a 5xx, and a refusal names it and changes nothing', async () => {
  const { api, caller, addressOf } = await openScene();
  let before = await viewOf(caller);
  for (const { methods, path, body } of ROUTES) {
    const [method = ''] = methods;
    const fields = Object.keys(body?.properties ?? {});
    for (const odd of oddBodies(fields)) {
      const answer = await caller.call(method, addressOf(path), odd);
      const what = `${method} ${path} ${JSON.stringify(odd)?.slice(0, 200)}`;
      const after = await viewOf(caller);
      if (answer.status >= 300) {
        expect([400, 409], what).toContain(answer.status);
        expect(after, what).toEqual(before);
        if (
          answer.status === 400 &&
          odd !== null &&
          typeof odd === 'object' &&
          !Array.isArray(odd) &&
          Object.keys(odd).length > 0
        ) {
          expect(
            fields.some((field) => answer.body.message.includes(field)),
            `${what}: ${answer.body.message}`,
          ).toBe(true);
        }
      }
      before = after;
    }
  }
  expect((await api.store.checkConsistency()).problems).toEqual([]);
});
