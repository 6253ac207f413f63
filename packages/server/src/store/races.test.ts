import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { assignClients } from '../domain/clients/assign-clients.ts';
import { SigningKeyRing } from '../domain/credentials/signing-keys.ts';
import { createAccount } from '../domain/members/account.ts';
import { changeRole, removeMember } from '../domain/members/manage-members.ts';
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

/** Long enough for another change to reach the lock for which it has to wait. */
const WAITING_MS = 200;

/** A firm with clients in both environments, and with two members who review them besides the owner. */
async function aFirmThatReviews() {
  const { stores, first } = await openStores(2);
  const second = stores[1] as Store;
  const { accountId, workspaceId } = await aWorkspace(first, clock, 'owner@firm.example');
  const sandboxId = await first.accounts.workspaceId(accountId, 'sandbox');
  const clients = [aClient(), aClient()];
  for (const id of [workspaceId, sandboxId]) await addClients(first, id, clients);
  await first.changeAccount({ accountId, actor: TESTER, at: 0 }, async (change) => {
    for (const email of ['ada@firm.example', 'bob@firm.example']) {
      await change.members.add({ email, role: 'admin', passwordHash: '', createdAt: 0 });
      change.record('member.joined', email);
    }
  });
  const [owner, ada, bob] = (await first.members.list(accountId)) as [Member, Member, Member];
  const [client, other] = clients.map(({ referenceId }) => referenceId) as [string, string];
  let attempts = 0;
  type Work = Parameters<Store['changeWorkspace']>[1];
  /** A change that is repeated if the database finds that changes wait for each other in a circle. */
  const change = (store: Store, id: number, work: Work) =>
    store.changeWorkspace({ workspaceId: id, actor: TESTER, at: 0 }, (parts) => {
      attempts++;
      return work(parts);
    });
  const assign = (id: number, referenceId: string) => {
    const assignment = { clients: [{ referenceId, expected: null }], memberId: ada.id };
    return assignClients({ ...first, clock }, { workspaceId: id, actor: TESTER }, assignment);
  };
  const changeAccount: Store['changeAccount'] = (context, work) =>
    second.changeAccount(context, (parts) => {
      attempts++;
      return work(parts);
    });
  const deps = { ...second, changeAccount, clock, onKeysChanged: async () => {} };
  const removeAda = () => removeMember(deps, actorOf(owner, { address: '' }), ada.id, { revokeKeys: false });
  const assigneesOf = async (id: number, referenceId: string) => {
    const history = await first.clients.history(id, referenceId);
    return history.flatMap(({ to }) => (to && 'assignee' in to ? [to.assignee] : []));
  };
  const scene = { first, second, workspaceId, sandboxId, client, other, ada, bob };
  return { ...scene, change, assign, removeAda, assigneesOf, attempts: () => attempts };
}

test('a member is removed while somebody assigns a client to them, without a circle of waiting changes', async () => {
  const firm = await aFirmThatReviews();
  const { first, workspaceId, client, other, ada, change, assign, removeAda, assigneesOf, attempts } = firm;
  await assign(workspaceId, client);
  let removed: Promise<void> | undefined;
  await change(first, workspaceId, async ({ assignments, record }) => {
    removed ??= removeAda();
    await sleep(WAITING_MS);
    record('client.assigned', other);
    const assignee = await assignments.member(ada.id);
    await assignments.assign(other, () => assignee ?? null);
  });
  await removed;
  expect(attempts()).toBe(2);
  for (const each of [client, other]) expect(await assigneesOf(workspaceId, each)).toEqual([ada.email, null]);
  expect((await first.checkConsistency()).problems).toEqual([]);
});

test('a client that is assigned to a member just before they are removed is taken from them', async () => {
  const firm = await aFirmThatReviews();
  const { first, workspaceId, sandboxId, client, ada, change, assign, removeAda, assigneesOf } = firm;
  await assign(workspaceId, client);
  let removed: Promise<void> | undefined;
  await change(first, sandboxId, async ({ assignments, record }) => {
    record('client.assigned', client);
    const assignee = await assignments.member(ada.id);
    await assignments.assign(client, () => assignee ?? null);
    removed ??= removeAda();
    await sleep(WAITING_MS);
  });
  await removed;
  for (const id of [workspaceId, sandboxId]) expect(await assigneesOf(id, client)).toEqual([ada.email, null]);
  expect((await first.checkConsistency()).problems).toEqual([]);
});

test('clients of two environments are assigned to the same members in any order', async () => {
  const { first, second, workspaceId, sandboxId, ada, bob, change, attempts } = await aFirmThatReviews();
  const assignTo = (store: Store, id: number, members: readonly Member[]) =>
    change(store, id, async ({ assignments }) => {
      for (const { id: memberId } of members) {
        expect(await assignments.member(memberId)).toBeDefined();
        await sleep(WAITING_MS);
      }
    });
  await Promise.all([assignTo(first, workspaceId, [ada, bob]), assignTo(second, sandboxId, [bob, ada])]);
  expect(attempts()).toBe(2);
});
