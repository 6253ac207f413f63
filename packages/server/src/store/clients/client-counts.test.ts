import { expect, inject, onTestFinished, test } from 'vitest';
import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../domain/clients/request-status.ts';
import { summariseClients } from '../../domain/clients/summarise-clients.ts';
import { TIME_MAX } from '../../domain/time.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { openEngine } from '../open-store.ts';
import { ANY } from './client-index/combination.ts';
import type { IndexLevel, IndexLevels } from './client-index/levels.ts';

const DAY_MS = 86_400_000;

/** So small that the clients below fill many runs and many sections of every list. */
const TINY: IndexLevels = { runs: { number: 0, maxSize: 4 }, sections: { number: 1, maxSize: 16 } };

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Several clients with the same time, in random order and of every kind; some of them are erased or changed again. */
async function scattered() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url, { indexLevels: TINY });
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
  const context = { workspaceId, actor: TESTER, at: clock.now() };
  await store.changeWorkspace(context, async (change) => {
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

/** The number of segments of the list of all clients. */
async function stretches(url: string, workspaceId: number, level: IndexLevel): Promise<number> {
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  const rows = await engine.reads
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', '=', level.number)
    .where('group_id', '=', ANY)
    .where('request_status', '=', ANY)
    .where('client_type', '=', ANY)
    .where('client_status', '=', ANY)
    .select('size')
    .execute();
  return rows.length;
}

test('the figures from many sections and runs are the same as counted ones, for any time and any property', async () => {
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
    expect(await store.counts.createdBetween(workspaceId, times)).toEqual(counted);
  }

  const count = (is: (client: Client) => boolean) => all.filter(is).length;
  const summary = await summariseClients(store, workspaceId, {}, { groupsMax: 2 });
  expect(summary.totalCount).toBe(all.length);
  expect(summary.byRequestStatus).toEqual(
    Object.fromEntries(REQUEST_STATUSES.map((each) => [each, count(({ requestStatus }) => requestStatus === each)])),
  );
  expect(summary.byClientType).toEqual(
    Object.fromEntries(CLIENT_TYPES.map((each) => [each, count(({ type }) => type === each)])),
  );

  const groups = await store.groups.list(workspaceId);
  expect(summary.largestGroups).toEqual(
    groups
      .toSorted((a, b) => b.clients - a.clients)
      .slice(0, 2)
      .map(({ name, token, clients }) => ({ name, token, clients })),
  );
  expect(summary.otherGroupsCount).toBe(1);
  expect(await store.counts.groups(workspaceId)).toBe(3);
  expect(groups.map(({ name, clients, byStatus }) => ({ name, clients, byStatus }))).toEqual(
    ['Group 0', 'Group 1', 'Group 2'].map((name) => {
      const own = all.filter(({ groupName }) => groupName === name);
      const countOf = (status: RequestStatus) => own.filter(({ requestStatus }) => requestStatus === status).length;
      const byStatus = Object.fromEntries(REQUEST_STATUSES.map((status) => [status, countOf(status)]));
      return { name, clients: own.length, byStatus };
    }),
  );
});
