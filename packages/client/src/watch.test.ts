import { expect, test } from 'vitest';
import { Rollcall } from './rollcall.ts';
import { FakeService } from './testing/fake-service.ts';
import { aRecord } from './testing/records.ts';

/** The machine may be busy. */
const PATIENTLY = { timeout: 20_000 };

const open = ({ address }: FakeService) => new Rollcall({ apiKey: 'key', baseUrl: address, retryBaseMs: 1 });
const isPoll = ({ query }: { query: URLSearchParams }) => query.get('page_limit') === '1';

test.each([
  ['with ETags and links', true],
  ['without either', false],
])('a watch reports each added, changed and removed client once, %s', async (_how, modern) => {
  const service = await FakeService.start(3);
  service.sendsEtags = modern;
  service.sendsLinks = modern;
  const [newest, middle, oldest] = service.clients;
  if (!newest || !middle || !oldest) throw new Error('three clients');
  const changes = open(service).clients.watch({}, { intervalMs: 1 });
  const first = changes.next();
  // After the second poll, the walk that followed the first one is complete.
  await expect.poll(() => service.lists.filter(isPoll).length, PATIENTLY).toBeGreaterThan(1);

  const declined = { ...middle, request_status: 'Declined' as const };
  service.change([aRecord(11), aRecord(10), newest, declined]);
  const seen = [(await first).value, (await changes.next()).value, (await changes.next()).value];
  seen.push((await changes.next()).value);
  expect(seen).toEqual([
    { type: 'removed', client: oldest },
    { type: 'changed', client: declined, before: middle },
    { type: 'added', client: aRecord(10) },
    { type: 'added', client: aRecord(11) },
  ]);

  service.change([aRecord(12), ...service.clients]);
  expect((await changes.next()).value).toEqual({ type: 'added', client: aRecord(12) });
  await changes.return();
});

test('while nothing changes, each check is one conditional request', async () => {
  const service = await FakeService.start(3);
  const stop = new AbortController();
  const waiting = open(service)
    .clients.watch({ requestStatus: 'pending' }, { intervalMs: 1, signal: stop.signal })
    .next();
  await expect.poll(() => service.lists.length, PATIENTLY).toBeGreaterThan(5);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const [poll, walk, ...later] = service.lists;
  expect(poll && isPoll(poll)).toBe(true);
  expect(walk && isPoll(walk)).toBe(false);
  for (const each of later) {
    expect(isPoll(each)).toBe(true);
    expect(each.headers['if-none-match']).toBe('"0"');
    expect(each.query.get('request_status')).toBe('pending');
  }
});

test('a watch can begin with all existing clients', async () => {
  const service = await FakeService.start(2);
  const changes = open(service).clients.watch({}, { intervalMs: 1, includeExisting: true });
  const [newest, oldest] = service.clients;
  expect((await changes.next()).value).toEqual({ type: 'added', client: oldest });
  expect((await changes.next()).value).toEqual({ type: 'added', client: newest });
  await changes.return();
});
