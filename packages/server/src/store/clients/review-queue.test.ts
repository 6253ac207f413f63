import { expect, inject, onTestFinished, test } from 'vitest';
import { assignClients } from '../../domain/clients/assign-clients.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { setRequestStatus } from '../../domain/clients/manage-clients.ts';
import type { QueueRequest } from '../../domain/clients/review-queue.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { openEngine } from '../open-store.ts';
import { openReviewQueue } from './review-queue.ts';
import { openReviewTimes } from './status-changes.ts';

/** Ten clients that wait, of which the first eight are assigned to the only member, one after the other. */
async function openScene() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const clients = Array.from({ length: 10 }, (_, number) =>
    aClient({ name: `${number}`, referenceId: `1700000000000-000${number}`, requestStatus: 'pending', createdAt: 0 }),
  );
  await addClients(store, workspaceId, clients);
  const deps = { ...store, clock };
  const by = { workspaceId, actor: TESTER };
  for (const { referenceId } of clients.slice(0, 8)) {
    clock.advance(1);
    await assignClients(deps, by, { clients: [{ referenceId, expected: null }], memberId: 1 });
  }
  return { deps, by, engine, workspaceId, clock };
}

test('however many clients are assigned, a page of unassigned ones looks at a limited number, and the next goes on from there', async () => {
  const { engine, workspaceId } = await openScene();
  const queue = openReviewQueue(engine, { assigned: 100, passed: 3 });
  const pages: string[][] = [];
  let after: Position | undefined;
  do {
    const { clients, next } = await queue.read(workspaceId, { assignedTo: 'nobody', after, limit: 2 });
    pages.push(clients.map(({ client }) => client.name));
    after = next;
  } while (after);
  expect(pages, 'and none follows the last one').toEqual([[], [], ['8'], ['9']]);
});

test('of very many clients of a member, those are looked at that were assigned last, and it is said that others are left out', async () => {
  const { engine, workspaceId } = await openScene();
  const ofMember: QueueRequest = { assignedTo: 1, after: undefined, limit: 5 };
  const few = await openReviewQueue(engine, { assigned: 3, passed: 100 }).read(workspaceId, ofMember);
  expect(few.clients.map(({ client }) => client.name)).toEqual(['5', '6', '7']);
  expect(few.leavesOut).toBe(true);
  const all = await openReviewQueue(engine, { assigned: 8, passed: 100 }).read(workspaceId, ofMember);
  expect(all.clients.map(({ client }) => client.name)).toEqual(['0', '1', '2', '3', '4']);
  expect(all.leavesOut).toBe(false);
});

test('a median of very many times is that of the last ones, and it is said that it is', async () => {
  const { deps, by, engine, workspaceId, clock } = await openScene();
  for (const [number, wait] of [1, 10, 100, 1000].entries()) {
    clock.advance(wait);
    await setRequestStatus(deps, by, `1700000000000-000${number}`, 'completed');
  }
  const median = async (most: number) => {
    const times = await openReviewTimes(engine, most).between(workspaceId, 0, clock.now() + 1);
    return [times.inStatusMs.pending, times.completed, times.isSampled];
  };
  const now = clock.now();
  // The clients were added at 0, so they have waited until each was completed.
  expect(await median(100)).toEqual([now - 1_100_000, 4, false]);
  expect(await median(2)).toEqual([now - 1_000_000, 4, true]);
});
