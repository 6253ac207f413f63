import { expect, inject, onTestFinished, test } from 'vitest';
import { addSample } from '../domain/add-sample.ts';
import { CLIENT_TYPES, type Client } from '../domain/client.ts';
import type { CountCell } from '../domain/client-counts.ts';
import { REQUEST_STATUSES } from '../domain/request-status.ts';
import { searchClients } from '../domain/search-clients.ts';
import { TIME_MAX } from '../domain/time.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../testing/test-store.ts';
import { ANY } from './client-index/combination.ts';
import type { Level, Levels } from './client-index/levels.ts';
import { openEngine } from './open-store.ts';

const DAY_MS = 86_400_000;

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
  const all: Client[] = [];
  for await (const clients of store.clients.readAll(workspaceId, {})) all.push(...clients);
  return { store, workspaceId, all };
}

/** So small that the clients below fill many runs and many sections of every list. */
const TINY: Levels = { runs: { number: 0, maxSize: 4 }, sections: { number: 1, maxSize: 16 } };

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Several at every time, in no order, of every kind; some are gone again or have become something else. */
async function scattered() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url, { levels: TINY });
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const other = await aWorkspace(store, clock, 'b@firm.example');
  const clients = Array.from({ length: 300 }, (_, index) =>
    aClient({
      createdAt: START + ((index * 7919) % 60) * DAY_MS,
      groupName: `Group ${index % 3}`,
      type: CLIENT_TYPES[index % 2] ?? 'company',
      requestStatus: REQUEST_STATUSES[index % 5] ?? 'pending',
    }),
  );
  await addClients(store, workspaceId, clients);
  await addClients(store, other.workspaceId, [aClient({ createdAt: START }), aClient({ createdAt: START + DAY_MS })]);
  const occasion = { workspaceId, actor: TESTER, at: clock.now() };
  await store.changeWorkspace(occasion, async (change) => {
    change.record('client.changed', 'test');
    for (const [index, { referenceId }] of clients.entries()) {
      if (index % 11 === 0) await change.clients.erase(referenceId);
      const decide = () => ({ requestStatus: 'declined', groupName: 'Group 0' }) as const;
      if (index % 11 === 5) await change.clients.change(referenceId, decide);
    }
  });
  const all: Client[] = [];
  for await (const batch of store.clients.readAll(workspaceId, {})) all.push(...batch);
  return { url, store, workspaceId, all };
}

/** How many stretches the list of everybody is kept in. */
async function stretches(url: string, workspaceId: number, level: Level): Promise<number> {
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  const rows = await engine.reads
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', '=', level.number)
    .where('group_id', '=', ANY)
    .where('request_status', '=', ANY)
    .where('client_type', '=', ANY)
    .select('size')
    .execute();
  return rows.length;
}

test('the figures read off many sections and runs are what counting gives, at any time and for any cell', async () => {
  const { url, store, workspaceId, all } = await scattered();
  expect(await stretches(url, workspaceId, TINY.sections)).toBeGreaterThan(10);
  expect(await stretches(url, workspaceId, TINY.runs)).toBeGreaterThan(50);

  const inside = Array.from({ length: 61 }, (_, day) => [START + day * DAY_MS - 1, START + day * DAY_MS]).flat();
  for (const times of [
    [0, ...inside, TIME_MAX],
    inside.filter((_, index) => index % 7 === 3),
    [START, START],
    [0, TIME_MAX],
  ]) {
    const counted = times
      .slice(1)
      .map(
        (until, index) => all.filter(({ createdAt }) => createdAt >= (times[index] ?? 0) && createdAt < until).length,
      );
    expect(await store.counts.arrivals(workspaceId, times)).toEqual(counted);
  }

  const cellOf = (cell: Omit<CountCell, 'clients'>) => `${cell.groupToken} ${cell.requestStatus} ${cell.clientType}`;
  const cells = await store.counts.cells(workspaceId);
  const counted = Map.groupBy(all, (client) => cellOf({ ...client, clientType: client.type }));
  expect(new Map(cells.map((cell) => [cellOf(cell), cell.clients]))).toEqual(
    new Map([...counted].map(([cell, clients]) => [cell, clients.length])),
  );
  expect(cells).toHaveLength(counted.size);
});

test.each(['JENS', 'müller', 'Müller', '2500@mail', '%', '_', "o'"])(
  'a search for %j finds what looking finds',
  async (fragment) => {
    const { store, workspaceId, all } = await sampled();
    const wanted = fragment.toLowerCase();
    const expected = all.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted)).length;
    const request = { fragment, pageNumber: 1, pageLimit: 10 };
    const found = await searchClients(store, workspaceId, request);
    expect(found.totalCount).toBe(expected);
    expect(found.clients).toHaveLength(Math.min(10, expected));
    // Numbers of clients begin anew in every workspace, so a missing condition would show somebody else's.
    const own = new Set(all.map(({ referenceId }) => referenceId));
    expect(found.clients.filter(({ referenceId }) => !own.has(referenceId))).toEqual([]);
    expect(found.clients.map(({ createdAt }) => -createdAt)).toEqual(
      found.clients.map(({ createdAt }) => -createdAt).sort((a, b) => a - b),
    );
  },
);
