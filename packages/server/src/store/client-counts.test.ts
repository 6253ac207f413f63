import { expect, test } from 'vitest';
import { addSample } from '../domain/add-sample.ts';
import type { Client } from '../domain/client.ts';
import { searchClients } from '../domain/search-clients.ts';
import { aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { openTestStore } from '../testing/test-store.ts';

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
  return { store, clock, workspaceId, all };
}

test('the figures read off the index are what counting gives, at any time and for any cell', async () => {
  const { store, clock, workspaceId, all } = await sampled();
  const times = Array.from({ length: 50 }, (_, index) => clock.now() - (370 - index * 8) * DAY_MS);
  const counted = times
    .slice(1)
    .map((until, index) => all.filter(({ createdAt }) => createdAt >= (times[index] ?? 0) && createdAt < until).length);
  expect(await store.counts.arrivals(workspaceId, times)).toEqual(counted);
  expect(await store.counts.arrivals(workspaceId, [0, Number.MAX_SAFE_INTEGER])).toEqual([2500]);

  const cells = await store.counts.cells(workspaceId);
  expect(cells.reduce((sum, { clients }) => sum + clients, 0)).toBe(2500);
  const groups = await store.groups.list(workspaceId);
  for (const group of groups) {
    const own = cells.filter(({ groupToken }) => groupToken === group.token);
    expect(own.reduce((sum, { clients }) => sum + clients, 0)).toBe(group.clients);
  }
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
