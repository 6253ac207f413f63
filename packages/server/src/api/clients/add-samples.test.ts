import { expect, test } from 'vitest';
import { openCaller } from '../../testing/api-caller.ts';
import { openTestApi } from '../../testing/test-api.ts';
import { openOnce } from '../../testing/when-finished.ts';

const SAMPLES = '/api/v1/sandbox/samples/';
const SUMMARY = '/api/v1/clients-summary/';

async function openSandbox() {
  const api = await openTestApi();
  return { api, ...(await openCaller(api, 'a@firm.example', { environment: 'sandbox' })) };
}

test('sample clients are added to a sandbox, other ones each time', async () => {
  const { api, call, workspaceId } = await openSandbox();
  expect(await call('POST', SAMPLES, { clients: 40, groups: 3 })).toMatchObject({
    status: 201,
    body: { data: { added: 40 } },
  });
  expect((await call('POST', SAMPLES, {})).data).toEqual({ added: 250 });
  expect((await call('GET', SUMMARY)).data.total_count).toBe(290);
  expect((await api.store.groups.list(workspaceId)).length).toBeLessThanOrEqual(6);
  expect((await api.store.checkConsistency()).problems).toEqual([]);
});

test('a repeated request adds its sample clients once', async () => {
  const { call } = await openSandbox();
  const once = { 'idempotency-key': 'fill' };
  const first = await call('POST', SAMPLES, { clients: 5 }, once);
  expect((await call('POST', SAMPLES, { clients: 5 }, once)).text).toBe(first.text);
  expect((await call('GET', SUMMARY)).data.total_count).toBe(5);
});

test('production has no sample clients: the address does not exist', async () => {
  const api = await openTestApi();
  const { call } = await openCaller(api, 'a@firm.example');
  const { status, text } = await call('POST', SAMPLES, { clients: 5 });
  const unknown = await call('POST', '/api/v1/sandbox/other/', { clients: 5 });
  expect(status).toBe(404);
  expect(text).toBe(unknown.text);
  expect((await call('GET', SUMMARY)).data.total_count).toBe(0);
});

const sharedSandbox = openOnce(openSandbox);

test.each([
  [{ clients: 0 }, /^clients /],
  [{ clients: 1001 }, /^clients /],
  [{ clients: 1.5 }, /^clients /],
  [{ clients: 10, groups: 101 }, /^groups /],
  [{ seed: 1 }, /^seed /],
])('the request %j is refused and adds nothing', async (sent, message) => {
  const { call } = await sharedSandbox();
  expect(await call('POST', SAMPLES, sent)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(message) },
  });
  expect((await call('GET', SUMMARY)).data.total_count).toBe(0);
});
