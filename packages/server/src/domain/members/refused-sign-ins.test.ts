import { expect, inject, onTestFinished, test } from 'vitest';
import { aWorkspace, TestClock } from '../../testing/builders.ts';
import { allRowsIn, breakActivityLog } from '../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

const MINUTE_MS = 60_000;
const EMAIL = 'a@firm.example';

async function openScene() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const clock = new TestClock();
  const { accountId } = await aWorkspace(store, clock, EMAIL);
  const start = Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS;
  const entries = async () => {
    const rows = ((await allRowsIn(url)).activity_entries ?? []) as Record<string, unknown>[];
    return rows
      .filter(({ action }) => action === 'sign-in.failed')
      .map(({ chain, address, subject }) => [chain, address, subject]);
  };
  return { url, store, start, entries, member: { accountId, email: EMAIL } };
}

test('refused sign-ins are recorded once by minute, email and network, and unknown emails without the email', async () => {
  const { store, start, entries, member } = await openScene();
  const { refusals } = store;
  for (let second = 0; second < 60; second++) {
    refusals.note(member, '192.0.2.1', start + second * 1000);
    // One network of IPv6.
    refusals.note(undefined, `2001:db8::${second.toString(16)}`, start + second * 1000);
  }
  refusals.note(member, '192.0.2.2', start);
  refusals.note(member, '192.0.2.2', start + MINUTE_MS);
  await refusals.flush(start + MINUTE_MS - 1);
  expect(await entries()).toEqual([]);

  await refusals.flush(start + MINUTE_MS);
  const account = `account:${member.accountId}`;
  const recorded = [
    [account, '192.0.2.1', `${EMAIL} (60 times)`],
    [account, '192.0.2.2', EMAIL],
    ['installation', '2001:db8::0', 'an unknown email (60 times)'],
  ];
  expect(await entries()).toEqual(recorded);
  expect(refusals.notWritten).toBe(1);
  await refusals.flush(start + 2 * MINUTE_MS);
  expect(await entries()).toHaveLength(4);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('guessing from very many addresses adds a bounded number of entries a minute, and nothing is left out', async () => {
  const { store, start, entries, member } = await openScene();
  for (let address = 0; address < 3000; address++) {
    store.refusals.note(undefined, `10.0.${address >> 8}.${address & 255}`, start);
  }
  // Who is already told apart stays so, and the next minute begins anew.
  store.refusals.note(undefined, '10.0.0.1', start);
  store.refusals.note(undefined, '10.9.9.9', start + MINUTE_MS);
  for (const name of ['a', 'b', 'c']) {
    store.refusals.note({ ...member, email: `${name}@firm.example` }, '10.9.9.9', start);
  }
  await store.refusals.flush(start + 2 * MINUTE_MS);
  const recorded = await entries();
  expect(recorded).toHaveLength(503);
  expect(recorded).toEqual(
    expect.arrayContaining([
      ['installation', '', 'an unknown email (2500 times)'],
      ['installation', '10.0.0.1', 'an unknown email (2 times)'],
      ['installation', '10.9.9.9', 'an unknown email'],
      [`account:${member.accountId}`, '', 'several members (3 times)'],
    ]),
  );
});

test('while nothing can be written, the number of minutes that wait is bounded, and nothing is left out', async () => {
  const { store, start, entries } = await openScene();
  for (let minute = 0; minute < 100; minute++) store.refusals.note(undefined, '10.0.0.1', start + minute * MINUTE_MS);
  expect(store.refusals.notWritten).toBe(100);
  await store.refusals.flush(Number.POSITIVE_INFINITY);
  const recorded = await entries();
  expect(recorded).toHaveLength(30);
  expect(recorded.at(-1)).toEqual(['installation', '10.0.0.1', 'an unknown email (71 times)']);
});

test('two flushes at the same time write everything once', async () => {
  const { store, start, entries } = await openScene();
  for (let address = 0; address < 5; address++) store.refusals.note(undefined, `10.0.0.${address}`, start);
  await Promise.all([store.refusals.flush(start + MINUTE_MS), store.refusals.flush(Number.POSITIVE_INFINITY)]);
  expect(await entries()).toHaveLength(5);
  expect(store.refusals.notWritten).toBe(0);
});

test('what cannot be recorded now is recorded later, together with what has come since', async () => {
  const { url, store, start, entries, member } = await openScene();
  store.refusals.note(member, '192.0.2.1', start);
  const mend = await breakActivityLog(url);
  onTestFinished(() => mend().catch(() => {}));
  await expect(store.refusals.flush(start + MINUTE_MS)).rejects.toThrow('the activity log is broken');
  store.refusals.note(member, '192.0.2.1', start + 1);
  expect(store.refusals.notWritten).toBe(2);
  await mend();
  await store.refusals.flush(start + MINUTE_MS);
  expect(await entries()).toEqual([[`account:${member.accountId}`, '192.0.2.1', `${EMAIL} (2 times)`]]);
  expect(store.refusals.notWritten).toBe(0);
});
