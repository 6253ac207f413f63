import { expect, test } from 'vitest';
import { createGroup } from '../../domain/clients/manage-groups.ts';
import {
  type ListedFilter,
  ListingCounter,
  NO_FILTER,
  removeOldListings,
} from '../../domain/credentials/key-listings.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, resultsOf, SUMMARY_PATH } from '../../testing/test-api.ts';
import { openTestConsole } from '../../testing/test-console.ts';
import { openTestStore } from '../../testing/test-store.ts';

const DAY_SECONDS = 86_400;

test('the page of a key shows what it has asked for, by day and filter, without whom', async () => {
  const api = await openTestApi();
  const { owner } = await openTestConsole({ api });
  const browser = await owner();
  const made = await browser.post('/console/production/keys', { name: 'Billing' });
  const { key_id: keyId, api_key: secret } = made.body.data as { key_id: string; api_key: string };
  const workspaceId = Number(await api.store.keys.workspaceOf(keyId));
  await addClients(api.store, workspaceId, [aClient({ email: 'canary@mail.example', groupName: 'North' })]);
  const token = await api.token(secret);
  const get = async (path: string, headers = {}) => api.get(path, { authorization: `Bearer ${token}`, ...headers });
  const shown = async () => {
    await api.listings.flush();
    return (await browser.get(`/console/production/keys/${keyId}`)).body.data?.listings;
  };
  expect(await shown()).toEqual([]);

  for (const path of [
    `${LIST_PATH}?page_no=1&page_limit=1`,
    `${LIST_PATH}?page_limit=1&page_no=2&order=oldest&include=external_id`,
    LIST_PATH,
  ]) {
    expect((await get(path)).status).toBe(200);
  }
  const { headers } = await get(`${LIST_PATH}?request_status=Declined,REQUESTED&group_name=north`);
  const same = { 'if-none-match': headers.get('etag') ?? '' };
  expect((await get(`${LIST_PATH}?request_status=Declined,REQUESTED&group_name=north`, same)).status).toBe(304);
  await get(`${LIST_PATH}?group_name=NORTH&request_status=requested,declined,declined`);
  for (const email of ['canary@mail.example', 'other@mail.example']) await get(`${LIST_PATH}?client_email=${email}`);
  await get(`${LIST_PATH}?reference_id=1769850600000-000000000001&external_id=CRM-canary`);
  await get(`${SUMMARY_PATH}?created_from=2026-01-31T09:30:00Z&created_to=2026-02-01T20:00:00Z&group_name=`);
  await get(`${SUMMARY_PATH}?created_from=2026-02-01T00:30:00%2B02:00&created_to=2026-02-02`);
  expect((await get(`${LIST_PATH}?request_status=unknown`)).status, 'what is refused is not counted').toBe(400);
  for (const name of ['canary@mail.example', 'Jane Doe%26request_status%3Dall']) {
    expect((await get(`${LIST_PATH}?group_name=${name}`)).status, 'of no group').toBe(200);
  }
  const [client] = resultsOf((await get(LIST_PATH)).body);
  const one = `/api/v1/clients/${client?.reference_id}/`;
  expect([(await get(one)).status, (await get('/api/v1/clients/1769850600000-000000000009/')).status]).toEqual([
    200, 404,
  ]);

  const day = '2026-01-31';
  expect(await shown()).toEqual([
    { day, kind: 'list', filter: '', calls: 4 },
    { day, kind: 'client', filter: '', calls: 1 },
    { day, kind: 'list', filter: 'request_status=declined,requested&group_name=North', calls: 3 },
    { day, kind: 'list', filter: 'client_email=…', calls: 2 },
    { day, kind: 'list', filter: 'group_name=…', calls: 2 },
    { day, kind: 'summary', filter: 'created_from=2026-01-31&created_to=2026-02-02', calls: 2 },
    { day, kind: 'list', filter: 'reference_id=…&external_id=…', calls: 1 },
  ]);
});

async function openCounter() {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId, key } = await aWorkspace(store, clock, 'a@firm.example');
  const caller = { workspaceId, keyId: key.id };
  const stored = async () => {
    const listings = await store.keyListings.ofKey(workspaceId, key.id, {});
    return listings.map(({ day, filter, calls }) => [day, filter, calls]);
  };
  return { store, clock, caller, stored, listings: new ListingCounter({ ...store, clock }) };
}

const FIRST_DAY = Date.parse('2026-01-31') / 86_400_000;

const byGroup = (groupName: string): ListedFilter => ({ ...NO_FILTER, openNames: 'group_name=…', groupName });
const byToken = (token: string): ListedFilter => ({
  ...NO_FILTER,
  open: `group_token=${token}`,
  openNames: 'group_token=…',
});

test('several processes add to the same counts, and a write that fails loses none and repeats none', async () => {
  const { store, clock, caller, stored, listings } = await openCounter();
  const other = new ListingCounter({ ...store, clock });
  let fails = true;
  const failing = {
    ...store.keyListings,
    add: async (counts: Parameters<typeof store.keyListings.add>[0]) => {
      if (fails) throw new Error('timeout');
      await store.keyListings.add(counts);
    },
  };
  const third = new ListingCounter({ keyListings: failing, clock });
  for (const counter of [listings, other, third]) counter.count(caller, 'list');
  await Promise.all([listings.flush(), other.flush()]);
  await expect(third.flush()).rejects.toThrow('timeout');
  expect(third.notStored).toBe(1);
  third.count(caller, 'list');
  fails = false;
  await third.flush();
  expect([await stored(), third.notStored]).toEqual([[[FIRST_DAY, '', 4]], 0]);
});

test('a program with ever new filters fills neither the memory nor the database, and hides nothing else by it', async () => {
  const { clock, caller, stored, listings } = await openCounter();
  const countMany = () => {
    for (let number = 0; number < 1000; number++) listings.count(caller, 'list', byToken(`${number}`));
    for (let number = 0; number < 10; number++) listings.count(caller, 'list', byToken('0'));
    listings.count(caller, 'list');
    listings.count(caller, 'list', { ...byToken('999'), closed: 'request_status=declined' });
  };
  countMany();
  await listings.flush();
  countMany();
  await listings.flush();
  expect((await stored()).slice(0, 3)).toEqual([
    [FIRST_DAY, '', 2],
    [FIRST_DAY, 'group_token=…', 1600],
    [FIRST_DAY, 'group_token=0', 22],
  ]);
  expect(await stored()).toContainEqual([FIRST_DAY, 'request_status=declined&group_token=…', 2]);
  expect(await stored()).toHaveLength(203);

  clock.advance(DAY_SECONDS);
  countMany();
  await listings.flush();
  expect((await stored()).filter(([day]) => day === FIRST_DAY + 1)).toHaveLength(203);
});

test('texts that no group has as its name are stored as one, also those that a database takes for the same', async () => {
  const { store, clock, caller, stored, listings } = await openCounter();
  await createGroup({ ...store, clock }, { workspaceId: caller.workspaceId, actor: TESTER }, 'A & B = 100%');
  for (const name of ['\ud83c', '\ud83d', 'jane@mail.example', 'a & b = 100%'])
    listings.count(caller, 'list', byGroup(name));
  await listings.flush();
  expect(await stored()).toEqual([
    [FIRST_DAY, 'group_name=…', 3],
    [FIRST_DAY, 'group_name=A %26 B %3D 100%25', 1],
  ]);
});

test('counts are removed with the activity log of their day, and otherwise kept', async () => {
  const { store, clock, caller, stored, listings } = await openCounter();
  for (const token of ['first', 'second', 'third']) {
    listings.count(caller, 'list', byToken(token));
    clock.advance(DAY_SECONDS);
  }
  await listings.flush();
  await removeOldListings({ ...store, clock }, 2);
  expect((await stored()).map(([, filter]) => filter)).toEqual(['group_token=third', 'group_token=second']);
});
