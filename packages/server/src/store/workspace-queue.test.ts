import { beforeEach, expect, inject, test } from 'vitest';
import { aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { DatabaseUnavailable } from './engines/database-unavailable.ts';
import type { Store } from './open-store.ts';
import { WorkspaceQueue } from './workspace-queue.ts';

let databaseUrl: string;
let store: Store;
let workspaceId: number;

beforeEach(async () => {
  databaseUrl = await newDatabase(inject('engine'));
  store = await openTestStoreAt(databaseUrl);
  ({ workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example'));
});

/** Makes a change, and notes when it runs and when it is committed. */
async function change(notes: string[], name: string, isLong = false): Promise<void> {
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: 0, isLong }, async ({ groups, record }) => {
    notes.push(`${name} runs`);
    record('group.created', name);
    await groups.create(name);
  });
  notes.push(`${name} is committed`);
}

test('short changes that arrive together are committed together, and none waits until a long one is committed, too', async () => {
  const notes: string[] = [];
  await Promise.all([
    change(notes, 'long', true),
    change(notes, 'a'),
    change(notes, 'later and long', true),
    change(notes, 'b'),
  ]);
  expect(notes).toEqual([
    'a runs',
    'b runs',
    'a is committed',
    'b is committed',
    'long runs',
    'long is committed',
    'later and long runs',
    'later and long is committed',
  ]);
});

test('long changes take turns with short ones, however many of these there are', async () => {
  const notes: string[] = [];
  let [number, isLongDone] = [0, false];
  const shortOnes = async () => {
    while (!isLongDone) await change(notes, `short ${++number}`);
  };
  const longOnes = async () => {
    for (const name of ['one', 'two', 'three']) await change(notes, name, true);
    isLongDone = true;
  };
  await Promise.all([shortOnes(), longOnes()]);
  const order = notes.filter((each) => each.endsWith(' runs')).map((each) => (each.startsWith('short') ? 's' : 'L'));
  expect(order.join('')).toMatch(/^sLs+Ls+L/);
  expect(order.join('')).not.toMatch(/s{3}.*L/);
});

test('a long change is told that others wait for it, in this process or in another one', async () => {
  const elsewhere = await openTestStoreAt(databaseUrl);
  for (const { changeWorkspace } of [store, elsewhere]) {
    const waiting: Promise<unknown>[] = [];
    await store.changeWorkspace({ workspaceId, actor: TESTER, at: 0, isLong: true }, async ({ isAwaited }) => {
      // A slow machine may have taken so long that others are assumed to wait.
      if (inject('engine') === 'postgres') expect(await isAwaited()).toBe(false);
      waiting.push(changeWorkspace({ workspaceId, actor: TESTER, at: 0 }, async () => undefined));
      await expect.poll(isAwaited, { interval: 5 }).toBe(true);
    });
    await Promise.all(waiting);
  }
});

test.runIf(inject('engine') === 'postgres')('a long change is told that a read waits for its connection', async () => {
  const small = await openTestStoreAt(databaseUrl, { poolSize: 1 });
  let reading: Promise<unknown> | undefined;
  await small.changeWorkspace({ workspaceId, actor: TESTER, at: 0, isLong: true }, async ({ isAwaited }) => {
    expect(await isAwaited()).toBe(false);
    reading = small.groups.list(workspaceId);
    await expect.poll(isAwaited, { interval: 5 }).toBe(true);
  });
  expect(await reading).toEqual([]);
});

test('a change that fails does not affect those that share its transaction', async () => {
  const notes: string[] = [];
  const failing = store.changeWorkspace({ workspaceId, actor: TESTER, at: 0 }, async ({ groups, record }) => {
    record('group.created', 'Lost');
    await groups.create('Lost');
    throw new Error('Something went wrong.');
  });
  const [, failed] = await Promise.allSettled([change(notes, 'a'), failing, change(notes, 'b')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Something went wrong.' } });
  expect((await store.groups.list(workspaceId)).map(({ name }) => name)).toEqual(['a', 'b']);
});

/** A queue of a database that is not available, which takes its time to say so. */
function queueInOutage(isTransient = false) {
  const transactions: PromiseWithResolvers<never>[] = [];
  const write = () => {
    const transaction = Promise.withResolvers<never>();
    transactions.push(transaction);
    return transaction.promise;
  };
  const queue = new WorkspaceQueue<never>(write, async () => []);
  const failure = new DatabaseUnavailable('the database server does not answer in time', { isTransient });
  return { queue, transactions, failure, add: (isLong = false) => queue.add(1, async () => undefined, { isLong }) };
}

test('during an outage, changes that wait for others are refused with them instead of waiting for one timeout after the other', async () => {
  const { queue, transactions, failure, add } = queueInOutage();
  const refusals = new Set<unknown>();
  let refused = 0;
  const addOne = () =>
    add().catch((error) => {
      refusals.add(error);
      refused++;
    });
  addOne();
  await expect.poll(() => transactions.length).toBe(1);
  for (let change = 0; change < 500; change++) addOne();
  transactions[0]?.reject(failure);
  await expect.poll(() => refused).toBe(501);
  expect(refusals).toEqual(new Set([failure]));
  expect(transactions).toHaveLength(1);

  const next = add();
  await expect.poll(() => transactions.length).toBe(2);
  expect(queue.isAwaited(1)).toBe(false);
  transactions[1]?.reject(failure);
  await expect(next).rejects.toBe(failure);
});

test('a long change that fails because it took too long does not fail those that wait', async () => {
  const { transactions, failure, add } = queueInOutage(true);
  const long = add(true);
  await expect.poll(() => transactions.length).toBe(1);
  const waiting = add();
  transactions[0]?.reject(failure);
  await expect(long).rejects.toBe(failure);
  await expect.poll(() => transactions.length).toBe(2);
  transactions[1]?.reject(new Error('only now'));
  await expect(waiting).rejects.toThrow('only now');
});

test('a short change that fails because the database was busy does not fail those that wait', async () => {
  const { transactions, failure, add } = queueInOutage(true);
  const slow = add();
  await expect.poll(() => transactions.length).toBe(1);
  const waiting = add();
  transactions[0]?.reject(failure);
  await expect(slow).rejects.toBe(failure);
  await expect.poll(() => transactions.length).toBe(2);
  transactions[1]?.reject(new Error('only now'));
  await expect(waiting).rejects.toThrow('only now');
});

test('while the database stays busy, nobody waits for more than two transactions that fail', async () => {
  const { transactions, failure, add } = queueInOutage(true);
  let refused = 0;
  const addOne = () => add().catch(() => refused++);
  addOne();
  await expect.poll(() => transactions.length).toBe(1);
  for (let change = 0; change < 500; change++) addOne();
  transactions[0]?.reject(failure);
  await expect.poll(() => transactions.length).toBe(2);
  expect(refused).toBe(1);
  transactions[1]?.reject(failure);
  await expect.poll(() => refused).toBe(501);
  expect(transactions).toHaveLength(2);
});
