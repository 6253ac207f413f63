import { expect, inject, test } from 'vitest';
import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { addSample } from '../../domain/clients/sample-clients.ts';
import { searchedWords } from '../../domain/clients/words.ts';
import { Failure } from '../../domain/failure.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';
import { watchStatements } from '../../testing/watch-statements.ts';
import { openOnce } from '../../testing/when-finished.ts';
import type { Store } from '../open-store.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './search-bounds.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Clients in two workspaces. */
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

const FATIMA_OKAFOR = /^(?=.*\bfatima\b)(?=.*\bokafor\b)/i;

test('a search finds whoever has the words, in any order, by their beginnings, without regard to case and accents', async () => {
  const { store, workspaceId, all } = await sampled();
  const own = new Set(all.map(({ referenceId }) => referenceId));
  for (const [text, pattern] of [
    ['fatima okafor', FATIMA_OKAFOR],
    ['OKAFOR Fatima', FATIMA_OKAFOR],
    ['fatima.okafor@exam', FATIMA_OKAFOR],
    ['garcia', /\bgarc[ií]a\b/i],
    ['García', /\bgarc[ií]a\b/i],
    ['mull', /\bm[uü]ller\b/i],
    ['soren', /\bs[oø]ren\b/i],
    ['yilmaz', /\by[ıi]lmaz\b/i],
    ['2500', /\b2500\b/],
    ['arcia', /^$/],
    ["%_'\\ :* | !", /^$/],
  ] as const) {
    const expected = all.filter(({ name, email, referenceId }) => pattern.test(`${name} ${email} ${referenceId}`));
    const found = await store.searches.find(workspaceId, { words: searchedWords(text) }, { offset: 0, limit: 10 });
    expect(found, text).toMatchObject({ totalCount: expected.length, isTotalExact: true });
    // The ids of clients start again in every workspace, so a missing condition would show clients of another one.
    expect(found.clients.filter(({ referenceId }) => !own.has(referenceId))).toEqual([]);
    const times = expected.map(({ createdAt }) => createdAt).sort((a, b) => b - a);
    expect(found.clients.map(({ createdAt }) => createdAt)).toEqual(times.slice(0, 10));
  }
});

test('the words of an account with a longer number are not found in another one', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  const workspaces: number[] = [];
  for (let number = 0; number < 6; number++) {
    const { accountId } = await aWorkspace(store, clock, `${number}@firm.example`);
    for (const environment of ['production', 'sandbox'] as const) {
      const workspaceId = await store.accounts.workspaceId(accountId, environment);
      workspaces.push(workspaceId);
      await addClients(store, workspaceId, [aClient({ name: `Ada ${workspaceId}` })]);
    }
  }
  expect(workspaces).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  for (const workspaceId of workspaces) {
    const { clients } = await store.searches.find(workspaceId, { words: ['ada'] }, { offset: 0, limit: 10 });
    expect(clients.map(({ name }) => name)).toEqual([`Ada ${workspaceId}`]);
  }
});

interface Shuffled {
  /** On how many days the clients were created. */
  days?: 60 | 2;
  /** Whether the store is that of a service, which searches in a thread on SQLite. */
  serving?: boolean;
}

/** The tests only read these clients, so they share the database, and each has a store of its own on it. */
const shuffledDatabase = openOnce(async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  return { url, 60: await addShuffled(store, 60), 2: await addShuffled(store, 2) };
});

async function shuffled({ days = 60, serving = false, ...bounds }: Partial<SearchBounds> & Shuffled = {}) {
  const { url, [days]: clients } = await shuffledDatabase();
  const searchBounds = { ...SEARCH_BOUNDS, ...bounds };
  return { store: await openTestStoreAt(url, { searchBounds, serving }), ...clients };
}

/** Several clients with the same time, in random order and of every kind, and more than fit in a slice. */
async function addShuffled(store: Store, days: number) {
  const { workspaceId } = await aWorkspace(store, new TestClock(), `${days}@firm.example`);
  const clients = Array.from({ length: 3000 }, (_, index) =>
    aClient({
      name: index % 3 === 0 ? 'Ada Abebe' : 'Bo Costa',
      email: `client${index}@mail.example`,
      createdAt: START + ((index * 7919) % days) * DAY_MS,
      groupName: `Group ${index % 2}`,
      type: CLIENT_TYPES[index % 2] ?? 'company',
      requestStatus: REQUEST_STATUSES[index % 5] ?? 'pending',
    }),
  );
  await addClients(store, workspaceId, clients);
  const all = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  return { workspaceId, all };
}

function isFound(search: ClientSearch) {
  return ({ name, email, groupName, requestStatus, type, createdAt }: Client) =>
    (search.words ?? []).every((word) => new RegExp(`\\b${word}`, 'i').test(`${name} ${email}`)) &&
    (search.groupName === undefined || groupName.toLowerCase() === search.groupName) &&
    (search.requestStatuses?.includes(requestStatus) ?? true) &&
    (search.clientType === undefined || type === search.clientType) &&
    createdAt >= (search.createdFrom ?? 0) &&
    createdAt < (search.createdUntil ?? Number.POSITIVE_INFINITY);
}

const SEARCHES: (ClientSearch & { words: string[] })[] = [
  { words: ['ada'] },
  { words: ['nobody'] },
  { words: ['abe', 'mail', 'ada'] },
  { words: ['client17'] },
  { words: ['client17', 'example'], groupName: 'group 1' },
  { words: ['ada'], groupName: 'group 1' },
  { words: ['ada'], requestStatuses: ['pending', 'declined'], clientType: 'company' },
  { words: ['bo'], createdUntil: START + 30 * DAY_MS },
  { words: ['bo'], createdFrom: START + 5 * DAY_MS, createdUntil: START + 5 * DAY_MS },
];

/** From the index, or by reading the list, after asking for all, some or none of the words. */
test.each<[string, Partial<SearchBounds> & Shuffled]>([
  ['candidates and the newest positions', {}],
  ['positions of which many have the same time', { days: 2 }],
  ['a thread', { serving: true }],
  ['a thread that reads the list', { serving: true, collected: 20 }],
  ['candidates and their rows', { passedPerRead: 0 }],
  ['a short list', { shortList: 5000 }],
  ['the list, because the index would find too many', { collected: 20 }],
  ['only the rare words', { commonFrom: 500, shortList: 0 }],
  ['only the words that the index can collect', { commonFrom: 500, collected: 2500, shortList: 0 }],
  ['many candidates that have only the rare words', { commonFrom: 500, candidates: 20, collected: 2500, shortList: 0 }],
  ['one word after the other', { commonFrom: 500, candidates: 20, collected: 1500, shortList: 0 }],
  ['all words, because too many have the rare ones', { commonFrom: 500, candidates: 20, shortList: 0 }],
  ['the list, because it is faster', { commonFrom: 0, collectedPerRead: 0 }],
])('pages and exports are the same, whether found through %s', async (_way, bounds) => {
  const { store, workspaceId, all } = await shuffled(bounds);
  for (const search of SEARCHES) {
    const expected = all.filter(isFound(search));
    const newestFirst = expected.toReversed().map(({ referenceId }) => referenceId);
    for (const [offset, limit] of [
      [0, 7],
      [990, 25],
      [0, 5000],
    ] as const) {
      const { totalCount, clients } = await store.searches.find(workspaceId, search, { offset, limit });
      expect(clients.map(({ referenceId }) => referenceId)).toEqual(newestFirst.slice(offset, offset + limit));
      expect(totalCount).toBe(expected.length);
    }
    expect((await Array.fromAsync(store.clients.readAll(workspaceId, search))).flat()).toEqual(expected);
  }
});

test.each<[string, Partial<SearchBounds>]>([
  ['from the index', { found: 500 }],
  ['from the rows of the candidates', { found: 500, passedPerRead: 0 }],
  ['in the list', { found: 500, collected: 600 }],
  ['in the list, without the index', { found: 500, commonFrom: 0, collectedPerRead: 0 }],
])(
  'beyond the bound a total is not exact and pages end, and with a filter it is exact again: %s',
  async (_, bounds) => {
    const { store, workspaceId, all } = await shuffled(bounds);
    const find = (search: ClientSearch & { words: string[] }, offset: number, limit = 10) =>
      store.searches.find(workspaceId, search, { offset, limit });
    const ada = all.filter(isFound({ words: ['ada'] })).reverse();
    expect(await find({ words: ['ada'] }, 0)).toEqual({
      totalCount: 500,
      isTotalExact: false,
      clients: ada.slice(0, 10),
    });
    expect((await find({ words: ['ada'] }, 495)).clients).toEqual(ada.slice(495, 500));
    for (const offset of [500, 510, 5000]) {
      expect(await find({ words: ['ada'] }, offset)).toEqual({ totalCount: 500, isTotalExact: false, clients: [] });
    }
    const filtered = { words: ['ada'], requestStatuses: ['pending', 'declined'] as const };
    expect(await find(filtered, 0)).toMatchObject({ totalCount: 400, isTotalExact: true });
    expect((await Array.fromAsync(store.clients.readAll(workspaceId, { words: ['ada'] }))).flat()).toHaveLength(1000);
  },
);

test('a search for something that only old clients have does not compare all newer ones', async () => {
  const searchBounds = { ...SEARCH_BOUNDS, found: 20, candidates: 20, passedPerRead: 1 };
  const store = await openTestStoreAt(await newDatabase(inject('engine')), { searchBounds });
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const clients = Array.from({ length: 6000 }, (_, index) =>
    aClient({ name: index < 100 ? 'Legacy' : 'Bo Costa', createdAt: START + index * DAY_MS }),
  );
  await addClients(store, workspaceId, clients);
  const statements = watchStatements();
  const found = await store.searches.find(workspaceId, { words: ['legacy'] }, { offset: 0, limit: 5 });
  expect(found).toMatchObject({ totalCount: 20, isTotalExact: false });
  const newest = clients.slice(95, 100).reverse();
  expect(found.clients.map(({ referenceId }) => referenceId)).toEqual(newest.map(({ referenceId }) => referenceId));
  if (inject('engine') !== 'sqlite') return;
  const comparing = [...statements].filter((text) => text.includes('"clients"."name"') && text.includes('order by'));
  expect(comparing).toEqual([]);
});

test.each<[string, Partial<SearchBounds> & Shuffled]>([
  ['among candidates', {}],
  ['through a list', { collected: 20 }],
  ['in a thread', { serving: true }],
])('a search %s ends with the slice in which its caller disconnects', async (_name, bounds) => {
  const { store, workspaceId } = await shuffled(bounds);
  const reason = new Failure('conflict', 'gone');
  const caller = new AbortController();
  const search = { words: ['mail'] };
  const finding = store.searches.find(workspaceId, search, { offset: 2990, limit: 10 }, caller.signal);
  // The first slice has a thousand rows, and other requests are answered after it.
  setImmediate(() => caller.abort(reason));
  await expect(finding).rejects.toBe(reason);
  const reading = Array.fromAsync(store.clients.readAll(workspaceId, search, AbortSignal.abort(reason)));
  await expect(reading).rejects.toBe(reason);
});
