import { expect, inject, test } from 'vitest';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

/** How often a process says that its run goes on, and for how long others wait if it does not. */
const [RENEWED_SECONDS, LEASE_SECONDS] = [3, 15];

/** A node with a clock of its own, which can be set. The steady clock cannot. */
async function openNode(url: string, steadyClock: TestClock) {
  const store = await openTestStoreAt(url, { steadyNow: () => steadyClock.now() });
  const clock = new TestClock();
  return { store, clock, claim: (runner: string) => store.bulkChanges.claim(runner, clock.now()) };
}

/** Two nodes, and a change of many clients that waits. */
async function openScene() {
  const url = await newDatabase(inject('engine'));
  const steadyClock = new TestClock(0);
  const [one, other] = [await openNode(url, steadyClock), await openNode(url, steadyClock)];
  const { workspaceId } = await aWorkspace(one.store, one.clock, 'a@firm.example');
  const request = { patch: { status: 'active' }, filter: {} } as const;
  await one.store.changeWorkspace({ workspaceId, actor: TESTER, at: 0 }, ({ bulkChanges }) =>
    bulkChanges.enqueue({ id: 'chg_1', request, actor: TESTER, total: 1 }),
  );
  /** For all clocks alike. */
  const pass = (seconds: number) => {
    for (const clock of [steadyClock, one.clock, other.clock]) clock.advance(seconds);
  };
  return { one, other, pass };
}

test('nodes whose clocks differ by minutes do not take a job from each other again and again', async () => {
  const { one: ahead, other: behind, pass } = await openScene();
  ahead.clock.advance(300);
  expect(await behind.claim('behind')).toMatchObject({ id: 'chg_1' });
  // Its lease seems to be over.
  const change = await ahead.claim('ahead');
  if (!change) throw new Error('The node that is ahead must have it now.');
  for (let seconds = 0; seconds < 10 * LEASE_SECONDS; seconds++) {
    if (seconds % RENEWED_SECONDS === 0) {
      expect(await ahead.store.bulkChanges.renew(change, 'ahead', ahead.clock.now())).toBe(true);
    }
    expect(await behind.claim('behind')).toBeUndefined();
    pass(1);
  }
});

test('a job whose process has ended goes on after the time of a lease when the clock was set back meanwhile', async () => {
  const { one, other, pass } = await openScene();
  expect(await one.claim('process-that-ended')).toMatchObject({ id: 'chg_1' });
  other.clock.advance(-3600);
  expect(await other.claim('other')).toBeUndefined();
  pass(LEASE_SECONDS - 1);
  expect(await other.claim('other')).toBeUndefined();
  pass(1);
  expect(await other.claim('other')).toMatchObject({ id: 'chg_1' });
});

test('of two nodes that wait for a job from before the clock was set back, one goes on with it', async () => {
  const { one, other, pass } = await openScene();
  expect(await one.claim('process-that-ended')).toMatchObject({ id: 'chg_1' });
  one.clock.advance(-3600);
  // So that the lease that the first one takes is also too far ahead for this one.
  other.clock.advance(-7200);
  for (const node of [one, other]) expect(await node.claim('early')).toBeUndefined();
  pass(LEASE_SECONDS);
  expect(await one.claim('one')).toMatchObject({ id: 'chg_1' });
  expect(await other.claim('other')).toBeUndefined();
});
