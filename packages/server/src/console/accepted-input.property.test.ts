import fc from 'fast-check';
import type { TObject } from 'typebox';
import { expect, inject, test } from 'vitest';
import { checkForm } from '../domain/check-schema.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../domain/clients/client.ts';
import { REQUEST_STATUSES } from '../domain/clients/request-status.ts';
import { createSetUpLink } from '../domain/members/set-up.ts';
import { TEST_PASSWORD } from '../testing/builders.ts';
import { type Browser, openTestConsole, type TestConsole } from '../testing/test-console.ts';
import { type ConsoleDeps, consoleRoutes } from './all-routes.ts';
import type { ConsoleRoute } from './define-route.ts';

/** Describing a route uses none of its dependencies. */
const ROUTES = consoleRoutes({} as ConsoleDeps);

/** The parts of a schema that are used here. */
interface FieldSchema {
  type?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
}

/** Placeholders for identifiers that are known only when the request is sent. */
const LIVE = {
  reference: '<a reference>',
  group: '<the token of a group>',
  invitation: '<the token of an invitation>',
  seen: '<the client as it is>',
};

const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\ufffd',
  '\u202etxt.exe',
  'e\u0301',
  '\u2028\r\n\t',
  '\u001b[31m',
  '=1+1',
  '<img src=x>',
  '%_\\',
  '__proto__',
  "'--",
  '\u0130'.repeat(60),
  '\ufdfa'.repeat(60),
  '\u{1f4a5}'.repeat(60),
];

const TIMES = [
  '2030-01-01',
  '2030-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-01:00',
  '10000-01-01',
  '+010000-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  'Jan 1, 10000',
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '-000001-01-01T00:00:00.000Z',
  '0099-01-01',
  '2030-01-01T00:00:00+99:99',
];

/** Spaces that are not part of a text, however many they are. */
const PADDING = '\u2003'.repeat(2000);

const nasty = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 30 }));
const mostly = (usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown> = nasty) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** Values for a field of this name on any route. Most of them are accepted, so that there is something to read afterwards. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  email: mostly(
    fc.constantFrom('a@x.example', 'B@X.example', `${'c'.repeat(244)}@x.example`, '\u{1f4a5}@\u0130.example'),
  ),
  password: mostly(fc.constant(TEST_PASSWORD)),
  new_password: mostly(fc.constantFrom(TEST_PASSWORD, '\u{1f4a5}'.repeat(100))),
  client_type: mostly(fc.constantFrom(...CLIENT_TYPES)),
  request_status: mostly(fc.constantFrom(...REQUEST_STATUSES)),
  client_status: mostly(fc.constantFrom(...CLIENT_STATUSES)),
  created_at: mostly(fc.constantFrom(...TIMES, '')),
  expires_at: mostly(fc.constantFrom(...TIMES, null)),
  from: mostly(fc.constantFrom(...TIMES)),
  to: mostly(fc.constantFrom(...TIMES)),
  allowed_networks: mostly(
    fc.array(fc.constantFrom('10.0.0.0/8', '::/0', '::ffff:10.0.0.1', '0.0.0.0/0', '2001:DB8::1'), { maxLength: 4 }),
    fc.constantFrom(['10.0.0.0/33'], ['fe80::1%eth0'], ['10.0.0.1,,::1'], [','], [1], 'x', Array(101).fill('::1')),
  ),
  rate_limit: mostly(fc.constantFrom(null, '0', '1/h', '7/m,3', '1000000/s,1000000'), fc.constantFrom('', '0/s', 'x')),
  reference_id: mostly(fc.constantFrom('', LIVE.reference, '0-0000', '999999999999999-999999999999999')),
  reference_ids: mostly(fc.array(fc.constantFrom(LIVE.reference, '0-0000'), { maxLength: 5 })),
  group_token: mostly(fc.constantFrom('', LIVE.group, '00000000-0000-0000-0000-000000000000')),
  token: mostly(fc.constant(LIVE.invitation)),
  unreadable: mostly(fc.constant(undefined)),
  times: mostly(fc.constantFrom('0,1900000000000', '253402300799999,253402300799999', '0,999999999999999')),
};

/** Only after a visit to a sign-in service, and before the sign-in. */
const DURING_SIGN_IN = '/console/provider/accounts';

/** A route without a schema for its query leads to another page, and shows nothing itself. */
function reads(route: ConsoleRoute): boolean {
  if (route.path === DURING_SIGN_IN) return false;
  return (methodOf(route) === 'GET' && route.query !== undefined) || route.bodyType === 'form';
}

function fieldOf(schema: FieldSchema, name = ''): fc.Arbitrary<unknown> {
  const named = BY_NAME[name];
  if (named) return named;
  if (name === 'seen') return mostly(fc.constant(LIVE.seen), formOf(schema));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fieldOf(each)));
  if (schema.enum) return mostly(fc.constantFrom(...schema.enum));
  if (schema.type === 'boolean') return mostly(fc.boolean());
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'integer') return integerOf(schema);
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'array')
    return fc.array(fieldOf(schema.items ?? {}), { maxLength: Math.min(6, schema.maxItems ?? 6) });
  return formOf(schema);
}

function integerOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: FieldSchema): fc.Arbitrary<unknown> {
  const within = fc.oneof(
    fc.constantFrom(minimum, minimum + 1, maximum - 1, maximum),
    fc.integer({ min: minimum, max: maximum }),
  );
  return mostly(within, fc.constantFrom(minimum - 1, maximum + 1, 2 ** 31, 2 ** 53, 1.5, 1e300, -1));
}

function textOf({ minLength = 0, maxLength = 3000 }: FieldSchema): fc.Arbitrary<unknown> {
  const long = (character: string, length: number) =>
    character.repeat(Math.ceil(length / character.length)).slice(0, length);
  const bounds = [minLength, maxLength, maxLength + 1].flatMap((length) => [
    long('x', length),
    long('\u{1f4a5}', length),
  ]);
  const padded = fc.constantFrom(`${PADDING}North`, `North${PADDING}`, PADDING);
  return fc.oneof(nasty, fc.constantFrom('North', 'north', ...bounds), padded);
}

function formOf({ properties = {}, required = [] }: FieldSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fieldOf(schema, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function methodOf({ methods }: ConsoleRoute): string {
  return methods[0] ?? '';
}

function isOfWorkspace({ access }: ConsoleRoute): boolean {
  return access !== 'anyone' && access.scope === 'workspace';
}

interface Step {
  /** The index of the route, so that a failing run prints little. */
  route: number;
  environment: string;
  identifier: string;
  query: Record<string, unknown>;
  body: unknown;
  agent: string;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  ...ROUTES.map((route, index) =>
    fc.record({
      route: fc.constant(index),
      environment: fc.constantFrom('production', 'sandbox'),
      identifier: mostly(
        fc.constant(''),
        fc.constantFrom('%00', '%', '%ED%A0%80', 'x'.repeat(300), '-1'),
      ) as fc.Arbitrary<string>,
      query: (route.query ? formOf(route.query as FieldSchema) : fc.constant({})) as fc.Arbitrary<
        Record<string, unknown>
      >,
      body: route.body ? formOf(route.body as FieldSchema) : fc.constant(undefined),
      agent: fc.constantFrom('test', '', '\xe9\xff', 'x'.repeat(8000)),
    }),
  ),
);

function encodedForm(form: object): URLSearchParams {
  return new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]));
}

/** A file with this text in its cells. */
function fileOf(text: string): Uint8Array {
  const cell = `"${text.replaceAll('"', '""')}"`;
  return new TextEncoder().encode(
    `email,client_name,client_type,group_name\n${cell},${cell},company,${cell}\nfile@x.example,${cell},company,${cell}\n`,
  );
}

/** Creates and uses an account with any values that the forms accept, and reads everything after each step. */
class Trial {
  readonly #console: TestConsole;
  #invitation = '';

  constructor(testConsole: TestConsole) {
    this.#console = testConsole;
  }

  async begin(form: Record<string, unknown>): Promise<void> {
    const { store, clock, browser, owner } = this.#console;
    const token = await createSetUpLink({ ...store, clock });
    const visitor = browser();
    const { status } = await visitor.post('/console/set-up', { ...form, token });
    expect(status, JSON.stringify(form)).toBeLessThan(500);
    if (status === 200) await this.#readEverything(visitor, form);
    else await owner();
  }

  async take({ route: index, environment, identifier, query, body, agent }: Step): Promise<void> {
    const route = ROUTES[index] as ConsoleRoute;
    const method = methodOf(route);
    this.#console.clock.advance(1);
    const owner = await this.#console.signedInOwner();
    const live = await this.#live(owner, environment, route);
    const path = route.path
      .replace(':environment', environment)
      .replace(/:(\w+)/g, (_, name: string) => identifier || encodeURIComponent(live.identifiers[name] ?? '0'));
    const form =
      body === undefined ? undefined : JSON.parse(JSON.stringify(body), (_, value) => live.values.get(value) ?? value);
    const browser = route.access === 'anyone' ? this.#console.browser() : owner;
    const sent = route.streamedBody ? fileOf(identifier) : route.bodyType === 'form' && form ? encodedForm(form) : form;
    const answer = await browser.send(method, path + queryText(query), sent, { 'user-agent': agent });
    const what = `${method} ${path} ${JSON.stringify({ query, form })}`;
    expect(answer.status, what).toBeLessThan(500);
    if (answer.status !== 200 || method === 'GET') return;
    if (route.path === '/console/invitations') this.#invitation = String(answer.body.data?.token);
    await this.#readEverything(await this.#console.signedInOwner(), what);
  }

  async #live(owner: Browser, environment: string, route: ConsoleRoute) {
    const list = async (path: string, name: string) => {
      const { body } = await owner.get(path);
      return ((body.data as Record<string, Record<string, unknown>[]>)[name] ?? []).at(-1) ?? {};
    };
    const needs = (name: string) => route.path.includes(name);
    const client = await list(`/console/${environment}/clients`, 'results');
    const group = await list(`/console/${environment}/groups`, 'groups');
    const { reference_id, group_token: _token, created_at: _at, ...seen } = client;
    const identifiers: Record<string, string> = {
      referenceId: String(reference_id),
      groupToken: String(group.group_token),
      number: '1',
      entryNumber: '1',
      ...(needs('memberId') && { memberId: String((await list('/console/members', 'members')).member_id) }),
      ...(needs('invitationId') && {
        invitationId: String((await list('/console/members', 'invitations')).invitation_id),
      }),
      ...(needs('sessionId') && { sessionId: String((await list('/console/profile', 'sessions')).session_id) }),
      ...(needs('importId') && {
        importId: String((await list(`/console/${environment}/imports`, 'results')).import_id),
      }),
      ...(needs('changeId') && {
        changeId: String((await list(`/console/${environment}/bulk-changes`, 'results')).change_id),
      }),
      ...(needs('keyId') && { keyId: String((await list(`/console/${environment}/keys`, 'keys')).key_id) }),
    };
    const values = new Map<unknown, unknown>([
      [LIVE.reference, String(reference_id ?? '0-0000')],
      [LIVE.group, String(group.group_token ?? '')],
      [LIVE.invitation, this.#invitation],
      [LIVE.seen, seen],
    ]);
    return { identifiers, values };
  }

  async #readEverything(browser: Browser, after: unknown): Promise<void> {
    for (const route of ROUTES.filter(reads)) {
      for (const environment of isOfWorkspace(route) ? ['production', 'sandbox'] : ['']) {
        for (const path of await this.#addressesOf(browser, route, environment)) {
          const { status, text } = await browser.send(methodOf(route), path);
          expect(status, `${path} after ${JSON.stringify(after)}`).toBe(200);
          expect(text.includes(PADDING), `${path} after ${JSON.stringify(after)}`).toBe(false);
        }
      }
    }
  }

  async #addressesOf(browser: Browser, route: ConsoleRoute, environment: string): Promise<string[]> {
    const path = route.path.replace(':environment', environment);
    if (path.endsWith('/new-clients')) return [`${path}?times=0,253402300799999`];
    if (!path.includes(':')) return [path];
    if (path.includes(':importId')) {
      const { results } = (await browser.get(`/console/${environment}/imports`)).body.data as {
        results: { import_id: string }[];
      };
      return results.map(({ import_id }) => path.replace(':importId', import_id));
    }
    if (path.includes(':entryNumber')) {
      const { results } = (await browser.get('/console/activity?kind=client')).body.data as {
        results: { environment: string; listed_as: number | null }[];
      };
      return results
        .filter((entry) => entry.environment === environment && entry.listed_as !== null)
        .map(({ listed_as: number }) => path.replace(':entryNumber', String(number)));
    }
    if (path.includes(':changeId')) {
      const { results } = (await browser.get(`/console/${environment}/bulk-changes`)).body.data as {
        results: { change_id: string }[];
      };
      return results.map(({ change_id }) => path.replace(':changeId', change_id));
    }
    if (path.endsWith('/keys/:keyId')) {
      const { keys } = (await browser.get(`/console/${environment}/keys`)).body.data as { keys: { key_id: string }[] };
      return keys.map(({ key_id }) => path.replace(':keyId', key_id));
    }
    if (path.includes(':memberId')) {
      const { members } = (await browser.get('/console/members')).body.data as { members: { member_id: number }[] };
      return members.map(({ member_id }) => path.replace(':memberId', String(member_id)));
    }
    const { body } = await browser.get(`/console/${environment}/clients?page_limit=10`);
    const clients = (body.data?.results ?? []) as { reference_id: string }[];
    return clients.map(({ reference_id }) => path.replace(':referenceId', reference_id));
  }
}

/** Half of a surrogate pair cannot be written in an address, but its bytes can. */
function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const text = String(value);
    return `${name}=${text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The texts of a form with the longest that each may be. */
function* textsOf(schema: FieldSchema, value: unknown): Generator<{ text: string; maxLength: number }> {
  const { anyOf, items = {}, properties = {}, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (typeof value === 'string') yield { text: value, maxLength };
  for (const each of anyOf ?? []) yield* textsOf(each, value);
  if (Array.isArray(value)) for (const each of value) yield* textsOf(items, each);
  else if (typeof value === 'object' && value !== null && !anyOf) {
    for (const [name, each] of Object.entries(value)) yield* textsOf(properties[name] ?? {}, each);
  }
}

test('nothing that a form accepts is passed on longer than the form states', () => {
  for (const { path, body, bodyType } of ROUTES) {
    if (!body || bodyType === 'form') continue;
    const property = fc.property(formOf(body as FieldSchema), (given) => {
      const { form, problems } = checkForm(body, given);
      if (problems.length > 0) return;
      for (const { text, maxLength } of textsOf(body as FieldSchema, form)) {
        expect(text.length, path).toBeLessThanOrEqual(maxLength);
      }
    });
    fc.assert(property, { numRuns: 300 });
  }
});

test('no value that a form or an address accepts makes a later read fail, and spaces around it are not kept', {
  timeout: 300_000,
}, async () => {
  const setUp = ROUTES.find(({ path, body }) => path === '/console/set-up' && body)?.body as TObject;
  await fc.assert(
    fc.asyncProperty(
      formOf(setUp as FieldSchema) as fc.Arbitrary<Record<string, unknown>>,
      fc.array(step, { minLength: 20, maxLength: 30, size: 'max' }),
      async (form, steps) => {
        const trial = new Trial(await openTestConsole());
        await trial.begin(form);
        for (const each of steps) await trial.take(each);
      },
    ),
    // The same code runs on both engines, and PostgreSQL takes several times as long.
    { numRuns: inject('engine') === 'sqlite' ? 12 : 4, endOnFailure: true },
  );
});
