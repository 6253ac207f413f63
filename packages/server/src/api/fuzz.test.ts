import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, expect, test, vi } from 'vitest';
import { FailureEnvelope } from '../http/envelope.ts';
import { type AnsweredData, type ApiCaller, openCaller } from '../testing/api-caller.ts';
import { documentedSchema, readApiDocument } from '../testing/api-document.ts';
import { VALID_CLIENT } from '../testing/fuzz/bad-bodies.ts';
import { type DrawnRequest, drawRequest } from '../testing/fuzz/draw-request.ts';
import { MadeUpValues } from '../testing/fuzz/made-up-values.ts';
import { type DrawnAnswer, sendDrawn } from '../testing/fuzz/send-drawn.ts';
import { openTestApi } from '../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';

/** `npm run fuzz` may send more. The seed of a failure is in the name of the test; with it, the same requests are sent again. */
const REQUESTS = Number(process.env.ROLLCALL_FUZZ_REQUESTS ?? 500);
const SEED = Number(process.env.ROLLCALL_FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Many requests are sent in parts with new databases, because everything is read again after each change. */
const REQUESTS_PER_PART = 1000;
const parts = Array.from({ length: Math.ceil(REQUESTS / REQUESTS_PER_PART) }, (_, part) => ({
  seed: SEED + part,
  requests: Math.min(REQUESTS_PER_PART, REQUESTS - part * REQUESTS_PER_PART),
}));

/** Sample clients are random. Each engine gets the same random numbers. */
const dice = vi.spyOn(crypto, 'randomInt');
syncBuiltinESMExports();
afterAll(() => {
  dice.mockRestore();
  syncBuiltinESMExports();
});

test.each(parts)(
  'no request causes a 5xx, both engines answer the same and as documented, and refusals change nothing (seed $seed)',
  async ({ seed, requests }) => {
    const scenes = [await openScene('sqlite'), await openScene('postgres')];
    const seen = new Set<number>();
    let sent = 0;
    for (const drawn of fc.sample(drawRequest(apiRoutes({} as ApiDeps)), { numRuns: requests, seed })) {
      const what = `request ${++sent}: ${JSON.stringify(drawn).slice(0, 1000)}`;
      const answers = [];
      for (const { fuzz } of scenes) {
        answers.push(await fuzz(drawn, what).catch((cause: unknown) => Promise.reject(new Error(what, { cause }))));
      }
      const [onSqlite, onPostgres] = answers;
      expect(onPostgres, what).toEqual(onSqlite);
      seen.add(onSqlite?.status ?? 0);
    }
    for (const { api } of scenes) expect((await api.store.checkConsistency()).problems).toEqual([]);
    // Otherwise what is drawn would no longer reach the routes.
    expect([...seen]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 404, 405, 409, 415]));
  },
);

const COMPARED_HEADERS = ['content-type', 'allow', 'www-authenticate', 'etag', 'link', 'retry-after', 'location'];

/** A sandbox, which has all routes, and a program that sends drawn requests to what is there and checks the answers. */
async function openScene(engine: 'sqlite' | 'postgres') {
  const api = await openTestApi(await openTestStoreAt(await newDatabase(engine)));
  const caller = await openCaller(api, 'a@firm.example', { environment: 'sandbox' });
  const madeUp = new MadeUpValues();
  /** By the number of sides: how often references are made depends on the time that an import takes, and samples must not. */
  const thrown = new Map<number, number>();
  let importId = 'imp_none_yet';
  let before = await viewOf(caller);

  async function send(drawn: DrawnRequest): Promise<DrawnAnswer> {
    const existing: Record<string, string> = { ...before.clients[0], import_id: importId };
    const part = (name: string) => drawn.parameters[name] ?? encodeURIComponent(existing[name] ?? '1');
    const path = drawn.path.replace(/:(\w+)/g, (_, name: string) => part(name));
    const type = drawn.body !== undefined && { 'content-type': typeFor(drawn) };
    const headers = { authorization: caller.authorization(), ...type, ...drawn.headers };
    return sendDrawn(api.address.sandbox, path + drawn.query, { ...drawn, headers });
  }

  const fuzz = async (drawn: DrawnRequest, what: string) => {
    dice.mockImplementation((most: number) => {
      const throws = thrown.get(most) ?? 0;
      thrown.set(most, throws + 1);
      return Math.floor(most * fractionOf(throws));
    });
    const answer = await send(drawn);
    checkAnswer(drawn, answer, what);
    if (answer.status === 202) {
      importId = JSON.parse(answer.text).data.import_id;
      await importEnds(caller, importId);
    }
    if (!['GET', 'HEAD', 'OPTIONS'].includes(drawn.method)) {
      const after = await viewOf(caller);
      if (answer.status >= 300) expect(after, what).toEqual(before);
      before = after;
    }
    return comparable(answer, madeUp);
  };
  return { api, fuzz };
}

/** Spread evenly, so that references rarely meet. */
const fractionOf = (index: number) => (index * 0.618_033_988_749_895) % 1;

/** The part of an answer that must be the same on both engines. */
function comparable({ status, headers, text }: DrawnAnswer, madeUp: MadeUpValues) {
  const heads = COMPARED_HEADERS.map((name) => headers[name] && madeUp.replaceIn(String(headers[name])));
  return { status, heads, body: madeUp.replaceIn(text) };
}

const typeFor = ({ path }: DrawnRequest) => (path.includes('imports') ? 'text/csv' : 'application/json');

async function importEnds({ call }: ApiCaller, importId: string): Promise<void> {
  const state = async () => (await call('GET', `/api/v1/clients-imports/${importId}/`)).data.state;
  await expect.poll(state, { interval: 5 }).not.toMatch(/queued|running/);
}

interface View {
  clients: Record<string, string>[];
  groups: object[];
}

/** Everything that a request could have changed. There is always a client to change. */
async function viewOf(caller: ApiCaller): Promise<View> {
  const clients = await caller.call('GET', '/api/v1/clients-list/?include=external_id,updated_at&page_limit=1000');
  const groups = await caller.call('GET', '/api/v1/groups-list/?page_limit=1000');
  if (clients.data.results.length > 0) return { clients: resultsOf(clients), groups: resultsOf(groups) };
  await caller.call('POST', '/api/v1/clients/', { ...VALID_CLIENT, external_id: '1' });
  return viewOf(caller);
}

const resultsOf = ({ data }: { data: AnsweredData }) => data.results as unknown as Record<string, string>[];

const DOCUMENT = readApiDocument();
/** Of the server, for addresses and messages that never reach a route. */
const BEFORE_THE_ROUTE = [400, 404, 405, 413, 414, 415];

function checkAnswer({ path, method, parameters }: DrawnRequest, answer: DrawnAnswer, what: string): void {
  const { status, text, headers } = answer;
  expect(status, `${what} ${text}`).toBeLessThan(500);
  expect(headers['x-request-id'], what).toBeDefined();
  if (method === 'HEAD' || status === 204 || status === 304) {
    expect(text, what).toBe('');
    return;
  }
  // The rejected rows of an import are a file.
  if (headers['content-type'] !== 'application/json; charset=utf-8' && status < 300) return;
  const body = JSON.parse(text);
  const documented = documentedSchema(DOCUMENT, { path, method, status });
  if (status >= 400) {
    expect([...Value.Errors(FailureEnvelope, body)], what).toEqual([]);
    expect(body.status_code, what).toBe(status);
    if (!BEFORE_THE_ROUTE.includes(status)) expect(documented, `${what} ${text}`).toBeDefined();
  } else if (Object.values(parameters).every((each) => each === null)) {
    expect([...Value.Errors(documented ?? false, body)], `${what} ${text}`).toEqual([]);
  }
}
