import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';
import { createTestAccount } from './test-account.ts';
import { type ReceivedSpan, TraceCollector } from './trace-collector.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

async function serveWithTraces(endpoint: string) {
  const program = new Program({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const { key } = await createTestAccount(program);
  const service = await program.serve();
  const token = (await exchange(service.production, key.api_key)).data.access_token;
  return { service, token };
}

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('a trace goes on where the caller has begun it, through the store, and its id is in the log', async () => {
  const collector = await TraceCollector.open();
  const { service, token } = await serveWithTraces(collector.endpoint);
  const headers = {
    authorization: `Bearer ${token}`,
    traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
    tracestate: 'canary=1',
    'x-request-id': 'canary-request',
  };
  await fetch(`${service.production}/api/v1/clients-list/?client_email=canary@mail.example`, { headers });
  await fetch(`${service.production}/canary`, { headers: { traceparent: 'canary' }, method: 'PROPFIND' });
  expect(await service.stop()).toBe(0);

  const ofCaller = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const request = ofCaller.find(({ parentSpanId }) => parentSpanId === CALLER_SPAN);
  expect(request?.name).toBe('GET /api/v1/clients-list/');
  expect(request && attributesOf(request)).toEqual({
    'rollcall.listener': 'production',
    'http.request.method': 'GET',
    'http.route': '/api/v1/clients-list/',
    'http.response.status_code': 200,
  });
  const inStore = ofCaller.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(inStore.map(({ name }) => name)).toContain('store clients.read');
  expect(inStore.flatMap(({ attributes }) => attributes)).toEqual([]);
  expect(collector.spans.map(({ name }) => name)).toContain('_OTHER');
  expect(collector.bodies.join('')).not.toMatch(/canary|mail\.example/);
  expect(collector.bodies.join('')).not.toContain(token);
  expect(service.log()).toMatch(new RegExp(`"route":"/api/v1/clients-list/".*"trace_id":"${TRACE_ID}"`));
});

test.each([
  ['is away', async () => 'http://127.0.0.1:9'],
  ['never answers', () => TraceCollector.openSilent()],
])('a collector that %s delays neither requests nor the stop', async (_, open) => {
  const { service, token } = await serveWithTraces(await open());
  for (let each = 0; each < 50; each++) expect(await list(service.production, token)).toMatchObject({ status: 200 });
  expect(await service.stop()).toBe(0);
  expect(service.log()).not.toContain('unexpected error');
});
