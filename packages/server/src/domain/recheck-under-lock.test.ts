import { expect, inject, test } from 'vitest';
import { aWorkspace, TEST_PASSWORD, TestClock } from '../testing/builders.ts';
import { openTestStore } from '../testing/test-store.ts';
import { createGroup } from './clients/manage-groups.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { createKey } from './credentials/manage-keys.ts';
import { Failure } from './failure.ts';
import { acceptInvitation, changeRole, inviteMember, removeMember } from './members/manage-members.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
} from './members/manage-profile.ts';
import type { Role } from './members/member.ts';
import { codeAt } from './members/second-factor.ts';
import { findSession } from './members/session.ts';
import { actorOf, signIn, signOut, startSession } from './members/sign-in.ts';

// What was read before a change got its lock may be out of date when it has it. In these tests the other change always comes
// first, which has the same effect as waiting for the lock.

const ORIGIN = { address: '192.0.2.1', agent: 'test' };
const OTHER_PASSWORD = 'nine purple walruses waltz';

async function openFirm() {
  const clock = new TestClock();
  const deps = {
    ...(await openTestStore()),
    clock,
    onKeysChanged: async () => {},
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 10, refusal: 'Too many.' }),
  };
  const { workspaceId } = await aWorkspace(deps, clock, 'owner@firm.example');
  const credentialsOf = async (email: string) => {
    const [credentials] = await deps.credentials.byEmail(email);
    if (!credentials) throw new Error(`${email} is missing.`);
    return credentials;
  };
  /** A member who is signed in, with their data at the time of their request. */
  const asking = async (email: string) => {
    const checked = await credentialsOf(email);
    const token = (await startSession(deps, checked.member, ORIGIN)) ?? '';
    const session = await findSession(deps, token);
    return { checked, session, actor: { ...actorOf(checked.member, ORIGIN), sessionId: session.id } };
  };
  const owner = (await asking('owner@firm.example')).actor;
  const join = async (email: string, role: Role) => {
    const { token } = await inviteMember(deps, owner, { email, role });
    await acceptInvitation(deps, { token, password: TEST_PASSWORD }, ORIGIN);
    return asking(email);
  };
  return { deps, workspaceId, owner, asking, join };
}

const KEY = { environment: 'production', name: 'late' } as const;

test('a member who was removed can change nothing, also if a new member has got their number', async () => {
  const { deps, workspaceId, owner, join } = await openFirm();
  const { actor, checked } = await join('admin@firm.example', 'admin');
  await removeMember(deps, owner, checked.member.id, { revokeKeys: false });
  await join('new@firm.example', 'owner');
  // Without a session, as in a change that began before members had one.
  const { sessionId: _, ...removed } = actor;
  await expect(createGroup(deps, { workspaceId, actor: removed }, 'Late')).rejects.toMatchObject({ code: 'forbidden' });
});

test('a member who was removed cannot create a key', async () => {
  const { deps, workspaceId, owner, join } = await openFirm();
  const { actor } = await join('admin@firm.example', 'admin');
  await removeMember(deps, owner, actor.memberId, { revokeKeys: true });
  const late = createKey(deps, { workspaceId, actor }, { ...KEY, createdBy: actor.name });
  await expect(late).rejects.toMatchObject({ code: 'forbidden' });
  expect((await deps.keys.list(workspaceId)).map(({ name }) => name)).not.toContain('late');
});

// SQLite has one writer, so nobody can be removed in the middle of a change.
test.runIf(inject('engine') === 'postgres')('a long change ends when the member who makes it is removed', async () => {
  const { deps, workspaceId, owner, join } = await openFirm();
  const { actor } = await join('admin@firm.example', 'admin');
  const change = deps.changeWorkspace(
    { workspaceId, actor, at: 0, isLong: true },
    async ({ groups, record, isAwaited }) => {
      record('group.created', 'Late');
      await groups.create('Late');
      expect(await isAwaited()).toBe(false);
      await removeMember(deps, owner, actor.memberId, { revokeKeys: false });
      await isAwaited();
    },
  );
  await expect(change).rejects.toMatchObject({ code: 'forbidden' });
  expect(await deps.groups.list(workspaceId)).toEqual([]);
});

test.each([
  [
    'has another role',
    (deps: Deps, owner: Acting, { actor }: Asking) => changeRole(deps, owner, actor.memberId, 'viewer'),
  ],
  ['has signed out', (deps: Deps, _owner: Acting, { session, actor }: Asking) => signOut(deps, session, actor)],
])('a member who %s cannot change anything', async (_what, meanwhile) => {
  const { deps, workspaceId, owner, join } = await openFirm();
  const admin = await join('admin@firm.example', 'admin');
  await meanwhile(deps, owner, admin);
  const { actor } = admin;
  await expect(createGroup(deps, { workspaceId, actor }, 'Late')).rejects.toMatchObject({ code: 'forbidden' });
  const invite = inviteMember(deps, actor, { email: 'friend@firm.example', role: 'viewer' });
  await expect(invite).rejects.toMatchObject({ code: 'forbidden' });
  expect(await deps.groups.list(workspaceId)).toEqual([]);
});

test('an old password starts no session after it has been changed', async () => {
  const { deps, asking } = await openFirm();
  const { checked, session, actor } = await asking('owner@firm.example');
  await changePassword(deps, session, actor, { password: TEST_PASSWORD, newPassword: OTHER_PASSWORD });
  await expect(startSession(deps, checked.member, ORIGIN, { checked })).rejects.toMatchObject({
    code: 'not_signed_in',
  });
});

test('a password alone starts no session once there is a second factor', async () => {
  const { deps, asking } = await openFirm();
  const { checked, session, actor } = await asking('owner@firm.example');
  const { secret } = await offerSecondFactor(deps, actor);
  await confirmSecondFactor(deps, session, actor, codeAt(secret, deps.clock.now()));
  await expect(startSession(deps, checked.member, ORIGIN, { checked })).rejects.toMatchObject({
    code: 'not_signed_in',
  });
});

test('a sign-in of a member who was just removed is answered like any other wrong sign-in', async () => {
  const { deps, owner, join } = await openFirm();
  const { checked, actor } = await join('admin@firm.example', 'admin');
  await removeMember(deps, owner, actor.memberId, { revokeKeys: false });
  await expect(startSession(deps, checked.member, ORIGIN, { checked })).rejects.toMatchObject({
    code: 'not_signed_in',
  });
});

test('a browser that was signed out by a change of password cannot change it back', async () => {
  const { deps, asking } = await openFirm();
  const [first, second] = [await asking('owner@firm.example'), await asking('owner@firm.example')];
  const change = ({ session, actor }: Asking, password: string, newPassword: string) =>
    changePassword(deps, session, actor, { password, newPassword });
  await change(first, TEST_PASSWORD, OTHER_PASSWORD);
  await expect(change(second, OTHER_PASSWORD, TEST_PASSWORD)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a short password is never the only factor, whichever of two changes comes first', async () => {
  const { deps, asking } = await openFirm();
  const { session, actor } = await asking('owner@firm.example');
  const { secret } = await offerSecondFactor(deps, actor);
  const { codes } = await confirmSecondFactor(deps, session, actor, codeAt(secret, deps.clock.now()));
  const isShort = () => changePassword(deps, session, actor, { password: TEST_PASSWORD, newPassword: 'w4lrus-x' });
  const isAlone = () => removeSecondFactor(deps, actor, { password: TEST_PASSWORD, code: codes[0] ?? '' });
  const outcomes = await Promise.allSettled([isShort(), isAlone()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
});

test('a member may remove themselves together with their keys', async () => {
  const { deps, workspaceId, join } = await openFirm();
  const { actor } = await join('admin@firm.example', 'admin');
  await createKey(deps, { workspaceId, actor }, { ...KEY, createdBy: actor.name });
  await removeMember(deps, actor, actor.memberId, { revokeKeys: true });
  const keys = (await deps.keys.list(workspaceId)).filter(({ name }) => name === 'late');
  expect(keys).toMatchObject([{ revokedAt: expect.any(Number) }]);
});

test('a sign-in that fails because the store is unavailable does not count as a failed attempt', async () => {
  const { deps } = await openFirm();
  const away = {
    ...deps,
    changeAccount: async () => {
      throw new Failure('unavailable', 'Service temporarily unavailable.');
    },
  };
  const request = { email: 'owner@firm.example', password: TEST_PASSWORD };
  for (let attempt = 0; attempt < 12; attempt++) {
    await expect(signIn(away, request, ORIGIN)).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(await signIn(deps, request, ORIGIN)).toMatchObject({ kind: 'signed-in' });
});

type Firm = Awaited<ReturnType<typeof openFirm>>;
type Deps = Firm['deps'];
type Acting = Firm['owner'];
type Asking = Awaited<ReturnType<Firm['asking']>>;
