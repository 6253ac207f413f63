import { expect, test } from 'vitest';
import type { Scope } from '../domain/credentials/index.ts';
import { type ApiCaller, openCaller } from '../testing/api-caller.ts';
import { openTestApi } from '../testing/test-api.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';
import type { ApiRoute } from './define-route.ts';

/** Every route that needs an access token, so that a new one cannot be forgotten. */
const ROUTES = apiRoutes({} as ApiDeps).filter(({ access }) => typeof access === 'object');

const CLIENT = { email: 'their@mail.example', client_name: 'Their', client_type: 'company', group_name: 'Theirs' };
const FILE = 'email,client_name,client_type,group_name\ntheir-wrong-email,Their,company,Theirs\n';
const UNKNOWN: Record<string, string> = {
  reference_id: '1700000000000-999999999999',
  external_id: 'nobodys',
  group_token: '00000000-0000-4000-8000-000000000000',
  import_id: 'imp_unknown',
};

/** A valid body of each route that takes JSON. */
const BODIES: Record<string, object> = {
  'POST /api/v1/clients/': CLIENT,
  'PATCH /api/v1/clients/:reference_id/': { client_name: 'Taken over' },
  'PUT /api/v1/clients/by-external-id/:external_id/': CLIENT,
  'POST /api/v1/groups/': { group_name: 'Another' },
  'PATCH /api/v1/groups/:group_token/': { group_name: 'Taken over' },
  'POST /api/v1/sandbox/samples/': { clients: 1 },
};

const nameOf = ({ methods, path }: ApiRoute) => `${methods[0]} ${path}`;
const scopeOf = ({ access }: ApiRoute) => (access as { scope: Scope }).scope;

function callRoute({ call }: ApiCaller, route: ApiRoute, identifiers = UNKNOWN) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => identifiers[name] ?? '');
  if (route.streamedBody) return call('POST', path, FILE, { 'content-type': 'text/csv' });
  const body = BODIES[nameOf(route)];
  if (route.body && !body) throw new Error(`${nameOf(route)} needs a body in this test.`);
  return call(route.methods[0] ?? '', path, body);
}

/** A sandbox, which has all routes, with one of everything. */
async function openTheirs() {
  const api = await openTestApi();
  const theirs = await openCaller(api, 'their@firm.example', { environment: 'sandbox' });
  const { data } = await theirs.call('POST', '/api/v1/clients/', { ...CLIENT, external_id: 'their-id' });
  const started = await theirs.call('POST', '/api/v1/clients-imports/', FILE, { 'content-type': 'text/csv' });
  const importPath = `/api/v1/clients-imports/${started.data.import_id}/`;
  await expect.poll(async () => (await theirs.call('GET', importPath)).data.state).toBe('completed');
  const identifiers: Record<string, string> = {
    reference_id: data.reference_id,
    external_id: 'their-id',
    group_token: data.group_token,
    import_id: String(started.data.import_id),
  };
  const everything = async () => {
    const reading = ROUTES.filter((route) => route.methods[0] === 'GET');
    return Promise.all(reading.map(async (route) => (await callRoute(theirs, route, identifiers)).text));
  };
  return { api, identifiers, everything };
}

test('with the identifiers of another account no route reveals or changes anything', async () => {
  const { api, identifiers, everything } = await openTheirs();
  const before = await everything();
  const mine = await openCaller(api, 'my@firm.example', { environment: 'sandbox' });
  for (const route of ROUTES.filter(({ path }) => path.includes(':'))) {
    const name = nameOf(route);
    const masked = (text: string) =>
      [...Object.values(identifiers), ...Object.values(UNKNOWN)].reduce((all, each) => all.replaceAll(each, '?'), text);
    const foreign = await callRoute(mine, route, identifiers);
    // A client that has an external id in another account does not have it in this one, so it is created.
    if (name.startsWith('PUT')) {
      expect(foreign.status).toBe(201);
      continue;
    }
    const unknown = await callRoute(mine, route);
    expect([foreign.status, masked(foreign.text)], name).toEqual([404, masked(unknown.text)]);
  }
  expect(await everything()).toEqual(before);
});

test('every route needs the scope that it names, and without it changes nothing', async () => {
  const { api, identifiers, everything } = await openTheirs();
  const before = await everything();
  for (const scope of ['clients:read', 'clients:write'] as const) {
    const caller = await openCaller(api, `${scope.slice(8)}@firm.example`, { environment: 'sandbox', scopes: [scope] });
    for (const route of ROUTES) {
      const { status, body } = await callRoute(caller, route, identifiers);
      if (scopeOf(route) === scope) expect(status, nameOf(route)).not.toBe(403);
      else expect([status, body.data], nameOf(route)).toEqual([403, null]);
    }
  }
  expect(await everything()).toEqual(before);
});

test('without an access token every route answers 401', async () => {
  const { api } = await openTheirs();
  for (const { methods, path } of ROUTES) {
    const address = api.address.sandbox + path.replace(/:(\w+)/g, (_, name: string) => UNKNOWN[name] ?? '');
    const { status } = await fetch(address, { method: methods[0] ?? 'GET' });
    expect(status, path).toBe(401);
  }
});
