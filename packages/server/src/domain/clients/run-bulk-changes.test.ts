import { expect, onTestFinished, test, vi } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { Failure } from '../failure.ts';
import type { BulkChange, BulkChangeRequest } from './bulk-change.ts';
import type { NewClient } from './client.ts';
import { cancelBulkChange, undoBulkChange } from './manage-bulk-changes.ts';
import { addClient, eraseClient, moveClient, setClientStatus, setRequestStatus } from './manage-clients.ts';
import { createGroup, renameGroup } from './manage-groups.ts';
import { mergeGroups } from './merge-groups.ts';
import { type RequestStatus, TRANSITIONS } from './request-status.ts';
import { BulkChangeRunner, type RunBulkChangesDeps } from './run-bulk-changes.ts';

const STATUSES: RequestStatus[] = ['pending', 'pending', 'accepted', 'completed', 'declined'];

/** Two fifths of them are pending, and several have the same time. */
function someClients(count: number): NewClient[] {
  return Array.from({ length: count }, (_, index) =>
    aClient({
      requestStatus: STATUSES[index % STATUSES.length] ?? 'pending',
      groupName: index % 3 === 0 ? 'North' : 'South',
      status: index % 7 === 0 ? 'inactive' : 'active',
      createdAt: 1_700_000_000_000 + Math.floor(index / 4),
    }),
  );
}

async function openScene(count = 100) {
  const store = await openTestStore();
  const clock = new TestClock();
  const { workspaceId, accountId } = await aWorkspace(store, clock, 'a@firm.example');
  if (count > 0) await addClients(store, workspaceId, someClients(count));
  const by = { workspaceId, actor: TESTER };
  const deps = { ...store, clock };
  const runners: BulkChangeRunner[] = [];
  let changes = 0;
  const enqueue = async (request: BulkChangeRequest, referenceIds?: string[]) => {
    const id = `chg_${++changes}`;
    const change = { id, request, actor: TESTER, total: count, referenceIds };
    await store.changeWorkspace({ ...by, at: clock.now() }, ({ bulkChanges }) => bulkChanges.enqueue(change));
    return id;
  };
  const run = (more: Partial<RunBulkChangesDeps> = {}) => {
    const onDefect = (error: unknown) => expect.fail(String(error));
    const runner = new BulkChangeRunner({ ...store, clock, clientsAtOnce: 7, onDefect, ...more });
    onTestFinished(() => runner.stop());
    runners.push(runner);
    return runner;
  };
  const find = (id: string) => store.bulkChanges.find(workspaceId, id) as Promise<BulkChange>;
  const ended = async (id: string) => {
    for (const runner of runners) runner.wake();
    await expect.poll(async () => (await find(id)).endedAt, { interval: 10 }).not.toBeNull();
    return find(id);
  };
  const all = async () => (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  const entries = async () => {
    const read = await store.activity.read(accountId, { kind: 'client' }, { offset: 0, limit: 100 });
    return read.entries.filter(({ action }) => action === 'client.changed');
  };
  const isConsistent = async () => expect((await store.checkConsistency()).problems).toEqual([]);
  return { store, clock, workspaceId, by, deps, enqueue, run, find, ended, all, entries, isConsistent };
}

const COMPLETE: BulkChangeRequest = {
  patch: { requestStatus: 'completed' },
  reason: 'Checked',
  filter: { requestStatuses: ['pending'] },
};

/** What completing a hundred clients comes to, of whom forty are pending. */
const COMPLETED = { state: 'completed', changed: 40, unchanged: 0, refused: 0, undoable: 40 };

test('all clients that match are changed, although they leave the list while it is walked, and it is one entry', async () => {
  const { store, workspaceId, enqueue, run, ended, all, entries, isConsistent } = await openScene();
  run();
  expect(await ended(await enqueue(COMPLETE))).toMatchObject(COMPLETED);
  expect((await all()).filter(({ requestStatus }) => requestStatus === 'pending')).toEqual([]);
  expect(await entries()).toMatchObject([{ subject: 'completed', clients: 40, member: TESTER.name }]);
  const { referenceId } = (await all())[0] ?? { referenceId: '' };
  expect((await store.clients.history(workspaceId, referenceId)).at(-1)).toMatchObject({
    actor: TESTER.name,
    from: { request_status: 'pending' },
    to: { request_status: 'completed' },
    reason: 'Checked',
  });
  await isConsistent();
});

test.each([
  ['the active ones', { clientStatus: 'active' }],
  ['the inactive ones', { clientStatus: 'inactive' }],
  ['those of two statuses in a group', { requestStatuses: ['pending', 'declined'], groupName: 'north' }],
  ['those of a time', { createdFrom: 1_700_000_000_005, createdUntil: 1_700_000_000_015 }],
  ['companies, of which there are none', { clientType: 'company' }],
] as const)('of a list, exactly its clients are changed: %s', async (_which, filter) => {
  const { store, workspaceId, enqueue, run, ended, all, isConsistent } = await openScene();
  const listed = (await Array.fromAsync(store.clients.readAll(workspaceId, filter))).flat();
  const before = new Map((await all()).map((client) => [client.referenceId, client]));
  const ids = new Set(listed.map(({ referenceId }) => referenceId));
  run();
  const patch = { requestStatus: 'declined' } as const;
  const change = await ended(await enqueue({ patch, filter }));
  for (const client of await all()) {
    const was = before.get(client.referenceId)?.requestStatus ?? 'pending';
    const isChanged = ids.has(client.referenceId) && TRANSITIONS[was].includes('declined');
    expect(client.requestStatus).toBe(isChanged ? 'declined' : was);
  }
  expect(change.changed + change.unchanged + change.refused).toBe(listed.length);
  await isConsistent();
});

test('a change whose process hangs is continued by another one, and every client is changed once', async () => {
  const { store, clock, workspaceId, enqueue, run, find, ended, all, isConsistent } = await openScene();
  const hanging = Promise.withResolvers<void>();
  const continued = Promise.withResolvers<void>();
  let steps = 0;
  const id = await enqueue(COMPLETE);
  const hung = run({
    changeWorkspace: async (context, work) => {
      if (++steps > 3) {
        hanging.resolve();
        await continued.promise;
      }
      return store.changeWorkspace(context, work);
    },
    // It does not say that it goes on.
    bulkChanges: { ...store.bulkChanges, renew: async () => true },
  });
  await hanging.promise;
  expect((await find(id)).changed).toBe(21);
  clock.advance(16);
  run();
  expect(await ended(id)).toMatchObject(COMPLETED);
  continued.resolve();
  await hung.stop();
  expect(await ended(id)).toMatchObject(COMPLETED);
  for (const { referenceId } of await all()) {
    expect((await store.clients.history(workspaceId, referenceId)).length).toBeLessThanOrEqual(2);
  }
  await isConsistent();
});

test('a change is stopped and continued after any transaction, as if it had not been', async () => {
  const { enqueue, run, find, ended, isConsistent } = await openScene();
  const id = await enqueue(COMPLETE);
  for (let stops = 0; stops < 20 && (await find(id)).endedAt === null; stops++) {
    const before = (await find(id)).step;
    const runner = run();
    const isFurther = ({ step, endedAt }: BulkChange) => step > before || endedAt !== null;
    await expect.poll(async () => isFurther(await find(id)), { interval: 1 }).toBe(true);
    await runner.stop();
  }
  run();
  expect(await ended(id)).toMatchObject(COMPLETED);
  await isConsistent();
});

test('a transaction whose commit was not confirmed is not made twice', async () => {
  const { store, clock, enqueue, run, find, ended, isConsistent } = await openScene();
  let attempts = 0;
  const id = await enqueue(COMPLETE);
  run({
    changeWorkspace: async (context, work) => {
      const attempt = ++attempts;
      const result = await store.changeWorkspace(context, work);
      if (attempt === 3) throw new Failure('unavailable', 'The answer of the database was lost.');
      return result;
    },
  });
  // The run tries again, finds out that the step was made, and leaves the rest to the next run.
  await expect.poll(() => attempts).toBe(4);
  expect((await find(id)).changed).toBe(21);
  clock.advance(16);
  expect(await ended(id)).toMatchObject(COMPLETED);
  await isConsistent();
});

test('clients that are changed, added or erased meanwhile are taken as they are when the change reaches them', async () => {
  const { store, deps, by, enqueue, run, ended, all, isConsistent } = await openScene();
  const pending = (await all()).filter(({ requestStatus }) => requestStatus === 'pending');
  const [declined = '', moved = '', erased = ''] = pending.slice(-3).map(({ referenceId }) => referenceId);
  let steps = 0;
  const change = await enqueue({ ...COMPLETE, filter: { requestStatuses: ['pending'], groupName: 'south' } });
  const inSouth = pending.filter(({ groupName }) => groupName === 'South');
  run({
    changeWorkspace: async (context, work) => {
      if (++steps === 2) {
        await setRequestStatus(deps, by, declined, 'declined');
        await moveClient(deps, by, moved, 'North');
        await eraseClient(deps, by, erased);
        const added = { email: 'new@mail.example', name: 'New', type: 'company', groupName: 'South' } as const;
        await addClient(deps, by, { ...added, requestStatus: 'pending' });
      }
      return store.changeWorkspace(context, work);
    },
  });
  const gone = inSouth.filter(({ referenceId }) => [declined, moved, erased].includes(referenceId)).length;
  expect(gone).toBeGreaterThan(0);
  expect(await ended(change)).toMatchObject({ changed: inSouth.length - gone, refused: 0 });
  const after = await all();
  const statusOf = (id: string) => after.find(({ referenceId }) => referenceId === id)?.requestStatus;
  expect([statusOf(declined), statusOf(moved)]).toEqual(['declined', 'pending']);
  expect(after.find(({ email }) => email === 'new@mail.example')?.requestStatus).toBe('pending');
  await isConsistent();
});

test('after one slow transaction, the next ones become large again, also where all clients are inactive', async () => {
  const { store, workspaceId, enqueue, run, ended } = await openScene(0);
  const inactive = Array.from({ length: 1500 }, () => aClient({ status: 'inactive' }));
  await addClients(store, workspaceId, [...inactive, aClient()]);
  let now = performance.now();
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => watch.mockRestore());
  let steps = 0;
  run({
    clientsAtOnce: 2000,
    changeWorkspace: async (context, work) => {
      const result = await store.changeWorkspace(context, work);
      if (++steps === 1) now += 150;
      return result;
    },
  });
  const id = await enqueue({ patch: { status: 'inactive' }, filter: { clientStatus: 'active' } });
  expect(await ended(id)).toMatchObject({ changed: 1 });
  // 250, then 67, and twice as many each time.
  expect((await ended(id)).step).toBe(6);
});

test('those that cannot be changed are counted by reason, and a few of them are named', async () => {
  const { enqueue, run, ended } = await openScene();
  run();
  const { refusals, ...change } = await ended(await enqueue({ patch: { requestStatus: 'completed' }, filter: {} }));
  expect(change).toMatchObject({ changed: 40, unchanged: 20, refused: 40 });
  expect(refusals.map(({ reason, count, referenceIds }) => [reason.slice(0, 70), count, referenceIds.length])).toEqual([
    ['The request status cannot change from Accepted to Completed. It can ch', 20, 5],
    ['The request status cannot change from Declined to Completed. It can ch', 20, 5],
  ]);
});

test('a client is not moved to a group in which another one has its email, also if that one has just come there', async () => {
  const { store, workspaceId, enqueue, run, ended, all, isConsistent } = await openScene(0);
  const same = (groupName: string) => aClient({ email: 'same@mail.example', groupName });
  await addClients(store, workspaceId, [same('A'), same('B'), same('C'), aClient({ groupName: 'A' })]);
  await addClients(store, workspaceId, [aClient({ groupName: 'Target' })]);
  const { token } = (await store.groups.list(workspaceId)).find(({ name }) => name === 'Target') ?? { token: '' };
  run();
  const id = await enqueue({ patch: { groupName: 'Target' }, groupToken: token, filter: {} });
  expect(await ended(id)).toMatchObject({
    changed: 2,
    unchanged: 1,
    refused: 2,
    refusals: [{ reason: 'Another client of the group Target has the same email.', count: 2 }],
  });
  expect((await all()).filter(({ groupName }) => groupName === 'Target')).toHaveLength(3);
  await isConsistent();
});

test('clients are moved to the same group after it was renamed, and no further after it was merged', async () => {
  const { store, workspaceId, deps, by, enqueue, run, ended, isConsistent } = await openScene();
  const { token } = (await store.groups.list(workspaceId)).find(({ name }) => name === 'North') ?? { token: '' };
  const move = { patch: { groupName: 'North' }, groupToken: token, filter: { groupName: 'south' } };
  await store.changeWorkspace({ ...by, at: 1 }, async (change) => {
    change.record('group.renamed', 'North to Up');
    await change.groups.rename('north', 'Up');
  });
  let steps = 0;
  run({
    changeWorkspace: async (context, work) => {
      if (++steps === 3) await mergeGroups(deps, by, 'Up', 'South');
      return store.changeWorkspace(context, work);
    },
  });
  expect(await ended(await enqueue(move))).toMatchObject({
    state: 'failed',
    changed: 14,
    reason: 'The group North was deleted or merged in the meantime.',
  });
  await isConsistent();
});

test('undoing puts back what nobody has changed since, and says how many', async () => {
  const { store, deps, by, workspaceId, enqueue, run, ended, all, isConsistent } = await openScene();
  const before = new Map((await all()).map((client) => [client.referenceId, client]));
  run();
  const id = await enqueue({ patch: { status: 'inactive' }, filter: { clientStatus: 'active' } });
  const { changed } = await ended(id);
  const [first = '', second = '', third = ''] = [...before.values()]
    .filter(({ status }) => status === 'active')
    .map(({ referenceId }) => referenceId);
  await setClientStatus(deps, by, first, 'active');
  await moveClient(deps, by, second, before.get(second)?.groupName === 'North' ? 'South' : 'North');
  await eraseClient(deps, by, third);
  const undo = await undoBulkChange(deps, by, id, TESTER);
  expect(await ended(undo.id)).toMatchObject({
    ...{ state: 'completed', total: changed, changed: changed - 3 },
    refusals: [{ reason: 'There is no such client.', referenceIds: [third] }],
  });
  for (const client of await all()) {
    if (client.referenceId === second) expect(client.status).toBe('inactive');
    else expect(client).toEqual(before.get(client.referenceId));
  }
  await expect(undoBulkChange(deps, by, id, TESTER)).rejects.toMatchObject({ code: 'conflict' });
  const [last] = (await store.clients.history(workspaceId, [...before.keys()][10] ?? '')).slice(-1);
  expect(last).toMatchObject({ reason: 'Undone' });
  await isConsistent();
});

/** Clients that are completed, except for those at these places, oldest first. */
async function openSceneWithPending(count: number, places: readonly number[]) {
  const scene = await openScene(0);
  const clients = Array.from({ length: count }, (_, place) =>
    aClient({ requestStatus: places.includes(place) ? 'pending' : 'completed', createdAt: 1_700_000_000_000 + place }),
  );
  await addClients(scene.store, scene.workspaceId, clients);
  const pending = places.map((place) => clients[place]?.referenceId ?? '');
  const isPending = async () => {
    const found = (await scene.all()).filter(({ requestStatus }) => requestStatus === 'pending');
    return found.map(({ referenceId }) => referenceId).sort();
  };
  return { ...scene, pending, isPending };
}

test('undoing the change of a few clients comes to no others, however many look like them', async () => {
  const scene = await openSceneWithPending(205, [0, 50, 100, 150, 204]);
  const { deps, by, pending, enqueue, run, ended, isPending, isConsistent } = scene;
  run();
  const id = await enqueue(COMPLETE);
  expect(await ended(id)).toMatchObject({ changed: 5 });
  // Somebody has changed one of them since.
  await setClientStatus(deps, by, pending[1] ?? '', 'inactive');
  const undo = await undoBulkChange(deps, by, id, TESTER);
  expect(await ended(undo.id)).toMatchObject({ state: 'completed', changed: 4, step: 1 });
  expect(await isPending()).toEqual(pending.filter((_, index) => index !== 1).sort());
  await isConsistent();
});

test.each([
  ['nobody has changed them', [100, 104, 109], undefined, 2],
  ['the last one was changed since', [100, 104, 109], 2, 2],
  ['the first one was changed since', [100, 104, 109], 0, 2],
  ['they are at the ends of the list, and the first one was changed since', [0, 204], 0, 30],
])(
  'of a change of very many clients, only the part between them is read to undo it: %s',
  async (_how, places, changed, steps) => {
    const scene = await openSceneWithPending(205, places);
    const { deps, by, pending, enqueue, run, ended, isPending, isConsistent } = scene;
    run({ changedKept: 1 });
    const id = await enqueue(COMPLETE);
    expect(await ended(id)).toMatchObject({ changed: pending.length });
    if (changed !== undefined) await setClientStatus(deps, by, pending[changed] ?? '', 'inactive');
    const undo = await undoBulkChange(deps, by, id, TESTER);
    const undone = await ended(undo.id);
    expect(undone).toMatchObject({ state: 'completed', changed: pending.length - (changed === undefined ? 0 : 1) });
    expect(undone.step).toBeLessThanOrEqual(steps);
    expect(await isPending()).toEqual(pending.filter((_, index) => index !== changed).sort());
    await isConsistent();
  },
);

test.each([
  ['the first part', (step: number) => step <= 2],
  ['the last part', (step: number) => step > 2],
])('a change of which a program that keeps less has made %s is undone as a whole', async (_which, isOlder) => {
  const { store, deps, by, enqueue, run, ended, all } = await openScene();
  const before = await all();
  run({
    changeWorkspace: (context, work) =>
      store.changeWorkspace(context, (change) => {
        const advance: typeof change.bulkChanges.advance = (job, runner, progress) => {
          const kept = isOlder(progress.step) ? { ...progress, span: job.span, changedIds: [] } : progress;
          return change.bulkChanges.advance(job, runner, kept);
        };
        return work({ ...change, bulkChanges: { ...change.bulkChanges, advance } });
      }),
  });
  const id = await enqueue(COMPLETE);
  await ended(id);
  expect(await all()).not.toEqual(before);
  const undo = await undoBulkChange(deps, by, id, TESTER);
  expect(await ended(undo.id)).toMatchObject({ changed: 40 });
  expect(await all()).toEqual(before);
});

test.each(['a new group has its name', 'the group to which they were moved has its name', 'it was only renamed'])(
  'clients are not moved back to a group other than the one from which they came: %s',
  async (how) => {
    const { store, workspaceId, deps, by, enqueue, run, ended, all } = await openScene();
    const tokenOf = async (name: string) =>
      (await store.groups.list(workspaceId)).find((group) => group.name === name)?.token;
    const moved = (await all()).filter(({ groupName }) => groupName === 'North').length;
    run();
    const move = { patch: { groupName: 'South' }, groupToken: await tokenOf('South'), filter: { groupName: 'north' } };
    const id = await enqueue(move);
    expect(await ended(id)).toMatchObject({ changed: moved });
    await renameGroup(deps, by, 'North', 'North (old)');
    if (how === 'a new group has its name') await createGroup(deps, by, 'North');
    if (how === 'the group to which they were moved has its name') await renameGroup(deps, by, 'South', 'North');
    const reason =
      how === 'it was only renamed'
        ? 'There is no group named North.'
        : 'The group North is another one than that in which the client was.';
    const undo = await undoBulkChange(deps, by, id, TESTER);
    expect(await ended(undo.id)).toMatchObject({
      state: 'completed',
      changed: 0,
      unchanged: 0,
      refused: moved,
      refusals: [{ reason, count: moved }],
    });
    const names = new Set((await all()).map(({ groupName }) => groupName));
    expect([...names]).toEqual([how === 'the group to which they were moved has its name' ? 'North' : 'South']);
  },
);

test('the history of a client that was moved does not show the token of its former group', async () => {
  const { store, workspaceId, enqueue, run, ended, all } = await openScene(1);
  run();
  const groupToken = (await store.groups.list(workspaceId)).find(({ name }) => name === 'North')?.token;
  await addClients(store, workspaceId, [aClient({ groupName: 'South' })]);
  await ended(await enqueue({ patch: { groupName: 'North' }, groupToken, filter: { groupName: 'south' } }));
  const histories = (await all()).map(({ referenceId }) => store.clients.history(workspaceId, referenceId));
  const moves = (await Promise.all(histories)).flat().filter(({ kind }) => kind === 'changed');
  expect(moves.map(({ from, to }) => [from, to])).toEqual([[{ group_name: 'South' }, { group_name: 'North' }]]);
});

test('a step is undone only where the step back is allowed', async () => {
  const { deps, by, enqueue, run, ended, all } = await openScene();
  run();
  // From accepted or from completed.
  const id = await enqueue({ patch: { requestStatus: 'pending' }, filter: {} });
  expect(await ended(id)).toMatchObject({ changed: 40, undoable: 20 });
  const undo = await undoBulkChange(deps, by, id, TESTER);
  // The others were not offered to be put back.
  expect(await ended(undo.id)).toMatchObject({ total: 20, changed: 20, refused: 0 });
  const count = async (status: RequestStatus) =>
    (await all()).filter(({ requestStatus }) => requestStatus === status).length;
  expect([await count('completed'), await count('accepted'), await count('pending')]).toEqual([20, 0, 60]);
});

test('a change that was cancelled goes no further, and what it has done can be undone', async () => {
  const { store, deps, by, enqueue, run, find, ended, all, isConsistent } = await openScene();
  const before = await all();
  let steps = 0;
  const id = await enqueue(COMPLETE);
  run({
    changeWorkspace: async (context, work) => {
      if (++steps === 3) await cancelBulkChange(deps, by, id);
      return store.changeWorkspace(context, work);
    },
  });
  expect(await ended(id)).toMatchObject({ state: 'cancelled', changed: 14 });
  await expect(cancelBulkChange(deps, by, id)).resolves.toMatchObject({ state: 'cancelled' });
  const undo = await undoBulkChange(deps, by, id, TESTER);
  expect(await ended(undo.id)).toMatchObject({ state: 'completed', changed: 14 });
  expect(await all()).toEqual(before);
  expect((await find(id)).undoable).toBe(0);
  await isConsistent();
});

test('what goes wrong in a change that somebody has just cancelled does not make it fail, and alarms nobody', async () => {
  const { store, deps, by, enqueue, run, find } = await openScene();
  const id = await enqueue(COMPLETE);
  const alarms: unknown[] = [];
  let attempts = 0;
  const runner = run({
    changeWorkspace: async (context, work) => {
      if (++attempts !== 3) return store.changeWorkspace(context, work);
      await cancelBulkChange(deps, by, id);
      throw new Error('A consequence of that.');
    },
    onFailed: () => alarms.push('failed'),
    onDefect: (error) => alarms.push(error),
  });
  // The run tries to note the failure, and finds out that the change is over.
  await expect.poll(() => attempts).toBe(4);
  await runner.stop();
  expect(await find(id)).toMatchObject({ state: 'cancelled', changed: 14, reason: null });
  expect(alarms).toEqual([]);
});

test('a change whose failure cannot be noted goes on later, and what went wrong is reported', async () => {
  const { store, clock, enqueue, run, ended, isConsistent } = await openScene();
  const id = await enqueue(COMPLETE);
  const defects: unknown[] = [];
  const broken = new Error('Broken.');
  let attempts = 0;
  run({
    changeWorkspace: async (context, work) => {
      if ([3, 4].includes(++attempts)) throw broken;
      return store.changeWorkspace(context, work);
    },
    onDefect: (error) => defects.push(error),
  });
  await expect.poll(() => attempts).toBe(4);
  clock.advance(16);
  expect(await ended(id)).toMatchObject(COMPLETED);
  expect(defects).toEqual([broken]);
  await isConsistent();
});

test('a change that is interrupted again and again at the same place fails, and does not keep its reason', async () => {
  const { store, clock, enqueue, find } = await openScene(10);
  const id = await enqueue({ ...COMPLETE, reason: 'As Ada Abebe has asked' });
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await store.bulkChanges.claim('runner', clock.now()))?.id).toBe(attempt < 10 ? id : undefined);
    clock.advance(16);
  }
  const { request, ...change } = await find(id);
  expect(change).toMatchObject({ state: 'failed', changed: 0, reason: expect.stringMatching(/too often/) });
  expect(request).toEqual({ patch: COMPLETE.patch, filter: COMPLETE.filter });
});

test('what is known of a change is removed after thirty days', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene(10);
  run();
  const id = await enqueue(COMPLETE);
  const { changed } = await ended(id);
  await store.bulkChanges.removeOld(clock.now());
  expect(await store.bulkChanges.find(workspaceId, id)).toBeDefined();
  expect(await store.bulkChanges.changedIds(workspaceId, id)).toHaveLength(changed);
  clock.advance(31 * 24 * 3600);
  await store.bulkChanges.removeOld(clock.now());
  expect(await store.bulkChanges.find(workspaceId, id)).toBeUndefined();
  expect(await store.bulkChanges.changedIds(workspaceId, id)).toEqual([]);
});
