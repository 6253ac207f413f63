import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSample } from '../domain/clients/sample-clients.ts';
import { createKey } from '../domain/credentials/manage-keys.ts';
import { copyDatabase } from '../store/copy-database.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, send, type TestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { TEST_SECRET } from '../testing/test-secret.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';

const REQUESTS = 3000;
const AT_ONCE = 10;
const COMPARED_HEADERS = ['content-type', 'content-length', 'allow', 'www-authenticate', 'etag', 'link', 'retry-after'];

/** Pairs that differ only in what databases tend to treat differently: letter case, normal form, order, wildcards. */
const GROUPS = [
  'Élan',
  'e\u0301LAN b',
  'İzmir',
  'i\u0307zmir',
  'Straße',
  'STRASSE',
  '\u212Aelvin',
  '%',
  '_',
  '\\',
  "O'Neil",
];

const text = fc.oneof(
  fc.constantFrom(...GROUPS, 'éLAN', 'KELVIN', 'ß', 'Retail investors', 'Corporate', 'nobody', ''),
  fc.constantFrom('a@x.example', 'A@X.EXAMPLE', 'e\u0301va@x.example', 'ÉVA@x.example', '%@x.example'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()));
const number = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map(String),
  fc.constantFrom('0', '-1', '1e3', '01', '1001', '1000', '1000000000', '1000000001', '9223372036854775808', '٣', '+1'),
);
const word = fc.constantFrom(
  'pending',
  'Completed',
  'ACCEPTED',
  'requested',
  'declined',
  'done',
  'company',
  'individual',
);
const raw = fc.constantFrom('%', '%zz', '%00', '%C0%AF', '%ED%A0%80', '%FF', '%E2%80%A8', '+', 'a=b', '[]');

const name = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'page_no',
      'page_limit',
      'client_email',
      'group_name',
      'request_status',
      'client_type',
      'page',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('pagelimit', '__proto__', 'group_name[]', 'cursor', '', 'constructor') },
);
const value = (parameter: string) => {
  const likely = /page/.test(parameter) ? number : /status|type/.test(parameter) ? word : encoded;
  return fc.oneof({ weight: 8, arbitrary: likely }, { weight: 1, arbitrary: encoded }, { weight: 1, arbitrary: raw });
};
const pair = name.chain((parameter) => value(parameter).map((each) => `${parameter}=${each}`));
const query = fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length ? `?${pairs.join('&')}` : ''));

const request = fc.record({
  path: fc.oneof(
    { weight: 20, arbitrary: query.map((each) => LIST_PATH + each) },
    { weight: 1, arbitrary: fc.constantFrom(TOKEN_PATH, LIST_PATH.slice(0, -1), '/', '/api/v1/', '/readyz', '/%') },
  ),
  method: fc.oneof({ weight: 12, arbitrary: fc.constant('GET') }, fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE')),
  caller: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('first', 'second') },
    fc.constantFrom('nobody', 'sandbox', 'garbled'),
  ),
});

test('the same requests get the same answers on both engines, byte for byte', async () => {
  const url = await newDatabase('sqlite');
  const onSqlite = await openTestApi(await openTestStoreAt(url));
  const callers = await fill(onSqlite);
  const copy = await newDatabase('postgres');
  await copyDatabase(url, copy, () => {}, { settings: [TEST_SECRET] });
  const onPostgres = await openTestApi(await openTestStoreAt(copy));

  const ask = async (api: TestApi, { path, method, caller }: Request) => {
    const headers = callers[caller] ?? {};
    const answer = await send(api.address.production + path, { method, headers: { ...headers } });
    // Every database has its own epoch; the rest of the tag is the same.
    const heads = COMPARED_HEADERS.map((header) => answer.headers.get(header)?.replace(/^("\w+-)\w+\./, '$1…'));
    return { status: answer.status, heads, text: answer.text.replace(/"access_token":"[^"]+"/, '"access_token":"…"') };
  };
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: 20_260_131 });
  const seen = new Set<number>();
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    await Promise.all(
      requests.slice(start, start + AT_ONCE).map(async (each) => {
        const [one, other] = await Promise.all([ask(onSqlite, each), ask(onPostgres, each)]);
        expect(other, JSON.stringify(each)).toEqual(one);
        expect(one.status, JSON.stringify(each)).toBeLessThan(500);
        seen.add(one.status);
      }),
    );
  }
  expect([...seen].sort()).toEqual([200, 204, 400, 401, 404, 405]);
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** Two workspaces with clients, and the headers of their callers. */
async function fill(api: TestApi): Promise<Record<string, Record<string, string>>> {
  const { store, clock } = api;
  const callers: Record<string, Record<string, string>> = { nobody: {}, garbled: { authorization: 'Bearer garbled' } };
  for (const caller of ['first', 'second']) {
    const { accountId, workspaceId, secret } = await aWorkspace(store, clock, `${caller}@firm.example`);
    await addSample({ ...store, clock }, TESTER, { workspaceId, clients: 250, groups: 4, seed: workspaceId });
    const emails = ['a@x.example', 'ÉVA@x.example', '%@x.example'];
    const clients = GROUPS.flatMap((groupName) =>
      emails.map((email) => aClient({ groupName, email, createdAt: 5000 })),
    );
    await addClients(store, workspaceId, clients);
    callers[caller] = { authorization: `Bearer ${await api.token(secret)}`, 'api-key': secret };
    if (caller === 'second') continue;
    const sandboxId = await store.accounts.workspaceId(accountId, 'sandbox');
    const other = await createKey(
      { ...store, clock },
      { workspaceId: sandboxId, actor: TESTER },
      { environment: 'sandbox', name: 'test' },
    );
    callers.sandbox = { authorization: `Bearer ${await api.token(other.secret)}`, 'api-key': other.secret };
  }
  return callers;
}
