import { expect, inject, test } from 'vitest';
import { SigningKeyRing } from '../domain/credentials/signing-keys.ts';
import { createAccount } from '../domain/members/account.ts';
import { changeRole } from '../domain/members/manage-members.ts';
import type { Member } from '../domain/members/member.ts';
import { actorOf } from '../domain/members/sign-in.ts';
import { aClient, addClients, aWorkspace, TEST_PASSWORD, TESTER, TestClock } from '../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import type { Store } from './open-store.ts';

const clock = new TestClock();

/** Several nodes or processes on one database. */
async function openStores(count = 4) {
  const url = await newDatabase(inject('engine'));
  const stores = [];
  for (let each = 0; each < count; each++) stores.push(await openTestStoreAt(url));
  const [first] = stores;
  if (!first) throw new Error('no store');
  return { stores, first };
}

test('when many nodes start on an empty database, only one creates the signing keys', async () => {
  const { stores, first } = await openStores();
  const rings = await Promise.all(stores.map((store) => SigningKeyRing.open({ ...store, clock })));
  expect(await first.signingKeys.all(), 'one that signs, and the next one').toHaveLength(2);
  expect(new Set(rings.map((ring) => ring.current().kid)).size).toBe(1);
});

test('when the same account is created by many processes at once, one succeeds and the others conflict', async () => {
  const { stores, first } = await openStores();
  const request = { name: 'Firm', email: 'a@firm.example', password: TEST_PASSWORD };
  const attempts = await Promise.allSettled(stores.map((store) => createAccount({ ...store, clock }, TESTER, request)));
  const refused = attempts.filter((attempt) => attempt.status === 'rejected');
  expect(refused).toHaveLength(stores.length - 1);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'conflict' });
  expect(await first.accounts.list()).toHaveLength(1);
});

test('clients added at the same time through many nodes share their new groups, and none is lost or duplicated', async () => {
  const { stores, first } = await openStores();
  const { workspaceId } = await aWorkspace(first, clock, 'a@firm.example');
  const everybody = Array.from({ length: 40 }, (_, n) => aClient({ groupName: `Group ${n % 4}` }));
  await Promise.all(
    stores.flatMap((store, index) => {
      const own = everybody.filter((_, n) => n % stores.length === index);
      // Each of them twice, like a caller who did not receive the first answer.
      return [own, own].map((clients) => addClients(store, workspaceId, clients));
    }),
  );
  const page = await first.clients.read(workspaceId, {}, { offset: 0, limit: 100 });
  expect(page.totalCount).toBe(everybody.length);
  expect(new Set(page.clients.map((client) => client.groupToken)).size).toBe(4);
  expect((await first.checkConsistency()).problems).toEqual([]);
});

test('when two owners demote each other at the same time, one stays an owner', async () => {
  const { stores, first } = await openStores(2);
  for (let round = 0; round < 5; round++) {
    const { accountId } = await aWorkspace(first, clock, `a${round}@firm.example`);
    await first.changeAccount({ accountId, actor: TESTER, at: 0 }, async (change) => {
      const owner = { email: `b${round}@firm.example`, role: 'owner', passwordHash: '', createdAt: 0 } as const;
      await change.members.add(owner);
      change.record('member.joined', owner.email);
    });
    const [a, b] = (await first.members.list(accountId)) as [Member, Member];
    const demote = (index: number, by: Member, of: Member) =>
      changeRole({ ...(stores[index] as Store), clock }, actorOf(by, { address: '' }), of.id, 'viewer');
    const attempts = await Promise.allSettled([demote(0, a, b), demote(1, b, a)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const roles = (await first.members.list(accountId)).map(({ role }) => role);
    expect(roles.sort()).toEqual(['owner', 'viewer']);
  }
});
