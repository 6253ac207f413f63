import { expect, test } from 'vitest';
import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { addSample } from '../../domain/clients/sample-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Clients in two workspaces, in several slices each. */
async function sampled() {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const other = await aWorkspace(store, clock, 'b@firm.example');
  for (const [id, seed] of [
    [workspaceId, 1],
    [other.workspaceId, 2],
  ] as const) {
    await addSample({ ...store, clock }, TESTER, { workspaceId: id, clients: 2500, groups: 4, seed });
  }
  const all = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  return { store, workspaceId, all };
}

test('a search finds the same clients as a comparison in memory, whatever letters are typed', async () => {
  const { store, workspaceId, all } = await sampled();
  const own = new Set(all.map(({ referenceId }) => referenceId));
  for (const fragment of ['JENS', 'müller', 'Müller', '2500@mail', '%', '_', "o'"]) {
    const wanted = fragment.toLowerCase();
    const expected = all.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted));
    const found = await store.searches.find(workspaceId, { fragment }, { offset: 0, limit: 10 });
    expect(found.totalCount, fragment).toBe(expected.length);
    // The ids of clients start again in every workspace, so a missing condition would show clients of another one.
    expect(found.clients.filter(({ referenceId }) => !own.has(referenceId))).toEqual([]);
    const times = expected.map(({ createdAt }) => createdAt).sort((a, b) => b - a);
    expect(found.clients.map(({ createdAt }) => createdAt)).toEqual(times.slice(0, 10));
  }
});

/** Several clients with the same time, in random order and of every kind, and more than fit in a slice. */
async function shuffled() {
  const store = await openTestStore();
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const clients = Array.from({ length: 3000 }, (_, index) =>
    aClient({
      name: index % 3 === 0 ? 'Ada Abebe' : 'Bo Costa',
      email: `client${index}@mail.example`,
      createdAt: START + ((index * 7919) % 60) * DAY_MS,
      groupName: `Group ${index % 2}`,
      type: CLIENT_TYPES[index % 2] ?? 'company',
      requestStatus: REQUEST_STATUSES[index % 5] ?? 'pending',
    }),
  );
  await addClients(store, workspaceId, clients);
  const all = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  return { store, workspaceId, all };
}

function matchesSearch(search: ClientSearch) {
  return ({ name, groupName, requestStatus, type, createdAt }: Client) =>
    (search.fragment === undefined || name.toLowerCase().includes(search.fragment)) &&
    (search.groupName === undefined || groupName.toLowerCase() === search.groupName) &&
    (search.requestStatuses?.includes(requestStatus) ?? true) &&
    (search.clientType === undefined || type === search.clientType) &&
    createdAt >= (search.createdFrom ?? 0) &&
    createdAt < (search.createdUntil ?? Number.POSITIVE_INFINITY);
}

test('a page of a search is the same when read in the order of the rows or of the list, and so is its export', async () => {
  const { store, workspaceId, all } = await shuffled();
  const searches: ClientSearch[] = [
    { fragment: 'ada' },
    { fragment: 'nobody' },
    { fragment: 'ada', groupName: 'group 1' },
    { fragment: 'ada', requestStatuses: ['pending', 'declined'], clientType: 'company' },
    { createdFrom: START + 10 * DAY_MS, createdUntil: START + 20 * DAY_MS },
    { fragment: 'bo', createdUntil: START + 30 * DAY_MS },
    { createdFrom: START + 5 * DAY_MS, createdUntil: START + 5 * DAY_MS },
  ];
  for (const search of searches) {
    const expected = all.filter(matchesSearch(search));
    const newestFirst = expected.toReversed().map(({ referenceId }) => referenceId);
    for (const [offset, limit] of [
      [0, 7],
      [990, 25],
      [0, 20_000],
    ] as const) {
      const { totalCount, clients } = await store.searches.find(workspaceId, search, { offset, limit });
      expect(totalCount).toBe(expected.length);
      expect(clients.map(({ referenceId }) => referenceId)).toEqual(newestFirst.slice(offset, offset + limit));
    }
    expect((await Array.fromAsync(store.clients.readAll(workspaceId, search))).flat()).toEqual(expected);
  }
});

test.each<[string, ClientSearch]>([
  ['through all rows', { fragment: 'zzz' }],
  ['through a list', { fragment: 'zzz', clientType: 'company' }],
])('a search %s ends with the slice in which its caller disconnects', async (_name, search) => {
  const { store, workspaceId } = await shuffled();
  const reason = new Failure('conflict', 'gone');
  const caller = new AbortController();
  const finding = store.searches.find(workspaceId, search, { offset: 0, limit: 10 }, caller.signal);
  // The first slice has a thousand rows, and other requests are answered after it.
  setImmediate(() => caller.abort(reason));
  await expect(finding).rejects.toBe(reason);
  const reading = Array.fromAsync(store.clients.readAll(workspaceId, search, AbortSignal.abort(reason)));
  await expect(reading).rejects.toBe(reason);
});
