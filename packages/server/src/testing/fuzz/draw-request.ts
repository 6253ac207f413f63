import fc from 'fast-check';
import type { ApiRoute } from '../../api/define-route.ts';
import { BAD_BODIES, ODD_VALUES } from './bad-bodies.ts';

export interface DrawnRequest {
  method: string;
  /** Of the route, with `:name` for each parameter. */
  path: string;
  /** The text of each parameter of the path, or null for one that exists. */
  parameters: Record<string, string | null>;
  query: string;
  headers: Record<string, string>;
  body: unknown;
}

const EMAILS = ['a@mail.example', 'B@Mail.example', 'c.d+e@mail.example', 'é@mail.example'];
const NAMES = ['Fatima Okafor', "O'Neil", 'Ünal GmbH', '𝒜 b', 'x'];
const GROUPS = ['Partners', 'partners', 'Élan', 'e\u0301lan', '%', '_', 'Straße', 'STRASSE'];
const DATES = ['2026-01-31', '2026-01-31T00:00:00Z', '2026-02-30', '1969-12-31', '9999-12-31', '2026-01-31T25:00:00Z'];

/** What a well-meaning program sends, by the name of the field or parameter. */
const LIKELY: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.constantFrom(...EMAILS),
  client_email: fc.constantFrom(...EMAILS),
  client_name: fc.constantFrom(...NAMES),
  client_type: fc.constantFrom('company', 'individual'),
  client_status: fc.constantFrom('active', 'inactive'),
  request_status: fc.constantFrom('pending', 'requested', 'accepted', 'completed', 'declined'),
  group_name: fc.constantFrom(...GROUPS),
  external_id: fc.constantFrom('1', '2', 'A-3', 'a/b'),
  created_at: fc.constantFrom(...DATES),
  clients: fc.integer({ min: 1, max: 3 }),
  created_from: fc.constantFrom(...DATES),
  created_to: fc.constantFrom(...DATES),
  page_no: fc.constantFrom('1', '2', '0', '-1', '1e3', '01', '9223372036854775808'),
  page_limit: fc.constantFrom('1', '10', '1000', '1001', '٣'),
  order: fc.constantFrom('newest', 'oldest'),
  include: fc.constantFrom('external_id', 'updated_at', 'external_id,updated_at', 'email'),
  dry_run: fc.constantFrom('true', 'false', '1'),
};

const odd = fc.oneof(
  fc.constantFrom(...ODD_VALUES),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);
function valueFor(name: string): fc.Arbitrary<unknown> {
  const likely = Object.hasOwn(LIKELY, name) ? LIKELY[name] : undefined;
  return likely ? fc.oneof({ weight: 6, arbitrary: likely }, { weight: 1, arbitrary: odd }) : odd;
}

/** Text as it stands in an address: encoded, or encoded wrongly. */
const inAddress = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: value.map((each) =>
        encodeURIComponent((typeof each === 'string' ? each : (JSON.stringify(each) ?? '')).toWellFormed()),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%00', '%C0%AF', '%ED%A0%80', '%FF', '..', '%2e%2e', ';', '+'),
    },
  );

const oneOf = (header: string, ...values: string[]) => fc.constantFrom(...values.map((value) => ({ [header]: value })));
const header = fc.oneof(
  oneOf('idempotency-key', 'a', 'b', '', 'é', 'x'.repeat(256), '"quoted"'),
  oneOf('if-match', '*', '"1"', 'W/"1"', '1', '"', '"a", "b"'),
  oneOf('if-none-match', '*', '"1"', 'W/"1"', 'x'),
  oneOf(
    'content-type',
    'application/json',
    'application/json; charset=latin1',
    'text/csv',
    'text/plain',
    ';',
    'multipart/form-data',
  ),
  oneOf('content-encoding', 'gzip', 'br', 'identity', 'x'),
  oneOf('accept', 'text/html', '*/*;q=0', ';', 'application/json'),
  oneOf('accept-encoding', 'gzip', 'gzip;q=0', 'br, gzip', '*;q=0', 'identity;q=0'),
  oneOf('x-request-id', 'a', 'x'.repeat(1000), '<script>', 'é'),
  oneOf('x-forwarded-for', '203.0.113.1', '::1', 'unknown', ',,,', '999.1.1.1'),
  oneOf('authorization', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', 'bearer  '),
  oneOf('range', 'bytes=0-1', 'bytes=-'),
);
const headers = fc.array(header, { maxLength: 2 }).map((drawn): Record<string, string> => Object.assign({}, ...drawn));

/** Fields that the route knows, likely and odd; now and then a body of the corpus, or any JSON. */
function bodyOf({ body, streamedBody }: ApiRoute): fc.Arbitrary<unknown> {
  if (streamedBody) return fc.constantFrom(...FILES);
  const fields = Object.keys(body?.properties ?? {});
  const required = (body?.required ?? []) as string[];
  const likely = fc.record(Object.fromEntries(fields.map((field) => [field, valueFor(field)])), {
    requiredKeys: required,
  });
  const others = fc.oneof(fc.constantFrom(...BAD_BODIES.map(({ sent }) => sent)), fc.json(), likely);
  if (!body) return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: others });
  return fc.oneof({ weight: 8, arbitrary: likely }, { weight: 2, arbitrary: others });
}

const FILES: unknown[] = [
  'email,client_name,client_type,group_name\na@mail.example,A,company,Partners\n',
  'email,client_name,client_type,group_name\r\n"a@mail.example","A\n',
  '{"email":"a@mail.example","client_name":"A","client_type":"company","group_name":"Partners"}\n',
  '{"email":\n',
  'PK\u0003\u0004',
  Uint8Array.from([0x1f, 0x8b, 8, 0, 0]),
  '',
  '\0\0\0',
  '__proto__,constructor\n1,2\n',
];

function requestTo(route: ApiRoute): fc.Arbitrary<DrawnRequest> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const parameter = (name: string) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: inAddress(fc.oneof(valueFor(name), fc.constant('1700000000000-999999999999'))) },
    );
  const known = Object.keys(route.query?.properties ?? {});
  const inQuery = fc
    .constantFrom(...known, 'page[]', '__proto__', '')
    .chain((name) => inAddress(valueFor(name)).map((value) => `${encodeURIComponent(name)}=${value}`));
  return fc.record({
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...route.methods) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE') },
    ),
    path: fc.constant(route.path),
    parameters: fc.record(Object.fromEntries(names.map((name) => [name, parameter(name)]))),
    query: fc
      .array(inQuery, { maxLength: known.length ? 4 : 1 })
      .map((pairs) => (pairs.length ? `?${pairs.join('&')}` : '')),
    headers,
    body: bodyOf(route),
  });
}

/** Requests to all routes, most of them nearly right. */
export const drawRequest = (routes: ApiRoute[]): fc.Arbitrary<DrawnRequest> => fc.oneof(...routes.map(requestTo));
