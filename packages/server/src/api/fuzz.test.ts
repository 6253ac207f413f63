import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { FailureEnvelope } from '../http/envelope.ts';
import { type AnsweredData, type ApiCaller, openCaller } from '../testing/api-caller.ts';
import { documentedSchema, readApiDocument } from '../testing/api-document.ts';
import { VALID_CLIENT } from '../testing/fuzz/bad-bodies.ts';
import { type DrawnRequest, drawRequest } from '../testing/fuzz/draw-request.ts';
import { type DrawnAnswer, sendDrawn } from '../testing/fuzz/send-drawn.ts';
import { openTestApi } from '../testing/test-api.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';

/** `npm run fuzz` may send more. The seed of a failure is in the name of the test; with it, the same requests are sent again. */
const REQUESTS = Number(process.env.ROLLCALL_FUZZ_REQUESTS ?? 500);
const SEED = Number(process.env.ROLLCALL_FUZZ_SEED ?? Date.now() % 2 ** 31);

test(`no request causes a 5xx, answers are as documented, and refusals change nothing (seed ${SEED})`, async () => {
  const { api, caller, fuzz } = await openScene();
  const seen = new Set<number>();
  let before = await viewOf(caller);
  let sent = 0;
  for (const drawn of fc.sample(drawRequest(apiRoutes({} as ApiDeps)), { numRuns: REQUESTS, seed: SEED })) {
    const what = `request ${++sent}: ${JSON.stringify(drawn).slice(0, 1000)}`;
    const answer = await fuzz(drawn, before).catch((cause: unknown) => Promise.reject(new Error(what, { cause })));
    checkAnswer(drawn, answer, what);
    seen.add(answer.status);
    if (['GET', 'HEAD', 'OPTIONS'].includes(drawn.method)) continue;
    const after = await viewOf(caller);
    if (answer.status >= 300) expect(after, what).toEqual(before);
    before = after;
  }
  expect((await api.store.checkConsistency()).problems).toEqual([]);
  // Otherwise what is drawn would no longer reach the routes.
  expect([...seen]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 404, 405, 409, 415]));
});

/** A sandbox, which has all routes, and a program that sends drawn requests to what is there. */
async function openScene() {
  const api = await openTestApi();
  const caller = await openCaller(api, 'a@firm.example', { environment: 'sandbox' });
  let importId = 'imp_none_yet';
  const fuzz = async (drawn: DrawnRequest, { clients: [first] }: View) => {
    const existing: Record<string, string> = { ...first, import_id: importId };
    const part = (name: string) => drawn.parameters[name] ?? encodeURIComponent(existing[name] ?? '1');
    const path = drawn.path.replace(/:(\w+)/g, (_, name: string) => part(name));
    const type = drawn.body !== undefined && { 'content-type': typeFor(drawn) };
    const headers = { authorization: caller.authorization(), ...type, ...drawn.headers };
    const answer = await sendDrawn(api.address.sandbox, path + drawn.query, { ...drawn, headers });
    if (answer.status === 202) {
      importId = JSON.parse(answer.text).data.import_id;
      await importEnds(caller, importId);
    }
    return answer;
  };
  return { api, caller, fuzz };
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
