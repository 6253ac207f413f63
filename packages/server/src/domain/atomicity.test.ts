import { expect, inject, onTestFinished, test } from 'vitest';
import type { Store } from '../store/open-store.ts';
import { aClient, addClients, aWorkspace, TEST_PASSWORD, TESTER, TestClock } from '../testing/builders.ts';
import { allRowsIn, breakActivityLog } from '../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { assignClients } from './clients/assign-clients.ts';
import { changeManyClients } from './clients/change-many-clients.ts';
import { decideClients } from './clients/decide-clients.ts';
import { importClients } from './clients/import-clients.ts';
import {
  addClient,
  changeClientIfUnchanged,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from './clients/manage-clients.ts';
import { createGroup, deleteGroup, renameGroup } from './clients/manage-groups.ts';
import { mergeGroups } from './clients/merge-groups.ts';
import { rebuildIndexes } from './clients/rebuild-indexes.ts';
import { addSample } from './clients/sample-clients.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { OnKeysChanged } from './credentials/key-facts.ts';
import { createKey, revokeAnyKey, revokeKey, updateKey } from './credentials/manage-keys.ts';
import { endOldSecret, rollKey } from './credentials/roll-key.ts';
import { createAccount } from './members/account.ts';
import {
  acceptInvitation,
  changeRole,
  endSessionOf,
  inviteMember,
  removeMember,
  renewInvitation,
  withdrawInvitation,
} from './members/manage-members.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  revokeSession,
} from './members/manage-profile.ts';
import type { ActingMember, Member } from './members/member.ts';
import { createResetLink, resetPassword } from './members/reset-password.ts';
import { codeAt } from './members/second-factor.ts';
import { findSession, type SignedInSession } from './members/session.ts';
import { createSetUpLink, setUp } from './members/set-up.ts';
import { actorOf, reauthenticate, signIn, signOut, startSession } from './members/sign-in.ts';
import { updateAccount } from './members/update-account.ts';

const ORIGIN = { address: '192.0.2.1', agent: 'test' };
const REFERENCES = ['1700000000000-0001', '1700000000000-0002'];
const [FIRST = ''] = REFERENCES;

type Deps = Store & {
  onKeysChanged: OnKeysChanged;
  clock: TestClock;
  concurrencyLimit: ConcurrencyLimit;
};

interface Scene {
  deps: Deps;
  by: { workspaceId: number; actor: ActingMember };
  owner: ActingMember;
  session: SignedInSession;
  admin: Member;
  keyId: string;
  rolledKeyId: string;
  invitation: { id: string; token: string };
  resetToken: string;
  secondFactor: string;
  /** An admin who has a second factor, with a recovery code. */
  guarded: { actor: ActingMember; session: SignedInSession; code: string };
}

/**
 * An account with some of everything: an owner who is signed in, an admin, another with a second factor, an invitation, a key
 * and two clients.
 */
async function openScene(store: Store): Promise<Scene> {
  const clock = new TestClock();
  const deps = {
    ...store,
    onKeysChanged: async () => {},
    clock,
    sendsMail: true,
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 10, refusal: 'Too many.' }),
  };
  const { workspaceId } = await aWorkspace(store, clock, 'owner@firm.example');
  const [credentials] = await store.credentials.byEmail('owner@firm.example');
  if (!credentials) throw new Error('The owner is missing.');
  const owner = actorOf(credentials.member, ORIGIN);
  const session = await findSession(deps, await startSession(deps, credentials.member, ORIGIN));
  const invite = (email: string) => inviteMember(deps, owner, { email, role: 'admin' });
  await acceptInvitation(deps, { token: (await invite('admin@firm.example')).token, password: TEST_PASSWORD }, ORIGIN);
  const admin = (await store.credentials.byEmail('admin@firm.example'))[0]?.member;
  if (!admin) throw new Error('The admin is missing.');
  const guarded = await aGuardedAdmin(deps, (await invite('guarded@firm.example')).token);
  const by = { workspaceId, actor: owner };
  const { key } = await createKey(deps, by, { environment: 'production', name: 'x', createdBy: admin.email });
  const rolled = await createKey(deps, by, { environment: 'production', name: 'y' });
  await rollKey(deps, by, rolled.key.id);
  await addClients(
    store,
    workspaceId,
    REFERENCES.map((referenceId) => aClient({ referenceId, groupName: 'North' })),
  );
  await assignClients(deps, by, { clients: [{ referenceId: FIRST, expected: null }], memberId: admin.id });
  await createGroup(deps, by, 'South');
  const { invitation, token } = await invite('guest@firm.example');
  const { secret } = await offerSecondFactor(deps, owner);
  const reset = await createResetLink(deps, TESTER, { email: 'owner@firm.example', endSessions: false });
  return {
    deps,
    by,
    owner,
    session,
    admin,
    keyId: key.id,
    rolledKeyId: rolled.key.id,
    invitation: { id: invitation.id, token },
    resetToken: reset.token,
    secondFactor: secret,
    guarded,
  };
}

async function aGuardedAdmin(deps: Deps, invitation: string): Promise<Scene['guarded']> {
  const { token } = await acceptInvitation(deps, { token: invitation, password: TEST_PASSWORD }, ORIGIN);
  const session = await findSession(deps, token);
  const actor = { ...session, name: session.email, sessionId: session.id };
  const { secret } = await offerSecondFactor(deps, actor);
  const { codes, token: newToken } = await confirmSecondFactor(deps, session, actor, codeAt(secret, deps.clock.now()));
  return { actor, session: await findSession(deps, newToken), code: codes[0] ?? '' };
}

const ADA = { email: 'ada@mail.example', name: 'Ada', type: 'individual' as const, groupName: 'New' };
const CELLS = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'company', group_name: 'New' };

/** Every change that is recorded in the activity log. */
const CHANGES: Record<string, (scene: Scene) => Promise<unknown>> = {
  'adding a client': ({ deps, by }) => addClient(deps, by, ADA),
  'correcting a client': ({ deps, by }) => correctClient(deps, by, FIRST, { name: 'X' }),
  'moving a client': ({ deps, by }) => moveClient(deps, by, FIRST, 'South'),
  'a new request status': ({ deps, by }) => setRequestStatus(deps, by, FIRST, 'accepted'),
  'a new client status': ({ deps, by }) => setClientStatus(deps, by, FIRST, 'inactive'),
  'changing a client if it is unchanged': async ({ deps, by }) => {
    const stored = await deps.clients.find(by.workspaceId, FIRST);
    if (!stored) throw new Error('The client is missing.');
    const { referenceId, groupToken, createdAt, updatedAt, ...expected } = stored;
    const request = { expected, patch: { name: 'X' } };
    return changeClientIfUnchanged(deps, by, FIRST, request);
  },
  'changing many clients': ({ deps, by }) =>
    changeManyClients(deps, by, { referenceIds: REFERENCES, requestStatus: 'accepted', groupName: 'South' }),
  'deciding about a client': async ({ deps, by }) => {
    const stored = await deps.clients.find(by.workspaceId, FIRST);
    if (!stored) throw new Error('The client is missing.');
    const { referenceId, groupToken, createdAt, updatedAt, version, ...expected } = stored;
    return decideClients(deps, by, { clients: [{ referenceId, expected }], requestStatus: 'accepted' });
  },
  'assigning clients': ({ deps, by, admin }) =>
    assignClients(deps, by, {
      clients: REFERENCES.map((referenceId) => ({ referenceId, expected: null })),
      memberId: admin.id,
    }),
  'erasing a client': ({ deps, by }) => eraseClient(deps, by, FIRST),
  'an import': ({ deps, by }) =>
    importClients(deps, by, [{ line: 2, cells: CELLS }], { origin: { id: 'x', name: 'x.csv' }, onReject: () => {} }),
  'sample clients': ({ deps, by }) =>
    addSample(deps, TESTER, { workspaceId: by.workspaceId, clients: 5, groups: 2, seed: 1 }),
  'creating a group': ({ deps, by }) => createGroup(deps, by, 'New'),
  'renaming a group': ({ deps, by }) => renameGroup(deps, by, 'North', 'Far north'),
  'merging a group into another': ({ deps, by }) => mergeGroups(deps, by, 'North', 'South'),
  'deleting a group': ({ deps, by }) => deleteGroup(deps, by, 'South'),
  'creating a key': ({ deps, by }) => createKey(deps, by, { environment: 'production', name: 'New' }),
  'updating a key': ({ deps, by, keyId }) => updateKey(deps, by, keyId, { name: 'Renamed', note: 'New' }),
  'rolling a key': ({ deps, by, keyId }) => rollKey(deps, by, keyId, { overlapSeconds: 60 }),
  'rolling a key without an overlap': ({ deps, by, keyId }) => rollKey(deps, by, keyId, { overlapSeconds: 0 }),
  'ending the old secret of a key': ({ deps, by, rolledKeyId }) => endOldSecret(deps, by, rolledKeyId),
  'revoking a key': ({ deps, by, keyId }) => revokeKey(deps, by, keyId),
  'revoking a key as the operator': ({ deps, keyId }) => revokeAnyKey(deps, TESTER, keyId),
  'inviting a member': ({ deps, owner }) => inviteMember(deps, owner, { email: 'new@firm.example', role: 'viewer' }),
  'withdrawing an invitation': ({ deps, owner, invitation }) => withdrawInvitation(deps, owner, invitation.id),
  'renewing an invitation': ({ deps, owner, invitation }) => renewInvitation(deps, owner, invitation.id),
  'signing out another member': ({ deps, owner, guarded: { actor, session } }) =>
    endSessionOf(deps, owner, actor.memberId, session.id),
  'accepting an invitation': ({ deps, invitation }) =>
    acceptInvitation(deps, { token: invitation.token, password: TEST_PASSWORD }, ORIGIN),
  'changing a role': ({ deps, owner, admin }) => changeRole(deps, owner, admin.id, 'viewer'),
  'removing a member and their keys': ({ deps, owner, admin }) =>
    removeMember(deps, owner, admin.id, { revokeKeys: true }),
  'creating a link to reset a password': ({ deps, admin }) =>
    createResetLink(deps, TESTER, { email: admin.email, endSessions: true }),
  'resetting a member': ({ deps, resetToken }) =>
    resetPassword(deps, { token: resetToken, password: 'nine purple walruses waltz' }, ORIGIN),
  'changing a password': ({ deps, session, owner }) =>
    changePassword(deps, session, owner, { password: TEST_PASSWORD, newPassword: 'nine purple walruses waltz' }),
  'revoking a session': ({ deps, owner, session }) => revokeSession(deps, owner, session.id),
  'confirming a second factor': ({ deps, session, owner, secondFactor }) =>
    confirmSecondFactor(deps, session, owner, codeAt(secondFactor, deps.clock.now())),
  'removing a second factor': ({ deps, guarded: { actor, code } }) =>
    removeSecondFactor(deps, actor, { password: TEST_PASSWORD, code }),
  'renewing recovery codes': ({ deps, guarded }) => renewRecoveryCodes(deps, guarded.actor),
  'using a recovery code': ({ deps, guarded: { actor, session, code } }) =>
    reauthenticate(deps, session, actor, { code }),
  'signing in with a recovery code': ({ deps, guarded: { actor, code } }) =>
    signIn(deps, { email: actor.name, password: TEST_PASSWORD, code }, ORIGIN),
  'entering a password without the code': ({ deps, guarded: { actor } }) =>
    signIn(deps, { email: actor.name, password: TEST_PASSWORD }, ORIGIN),
  'signing in': ({ deps }) => signIn(deps, { email: 'owner@firm.example', password: TEST_PASSWORD }, ORIGIN),
  'recording that a sign-in was refused': async ({ deps }) => {
    const refused = signIn(deps, { email: 'owner@firm.example', password: 'wrong' }, ORIGIN);
    await expect(refused).rejects.toThrow('email or password');
    await deps.refusals.flush(Number.POSITIVE_INFINITY);
  },
  'signing out': ({ deps, session, owner }) => signOut(deps, session, owner),
  'changing the settings of an account': ({ deps, owner }) =>
    updateAccount(deps, { accountId: owner.accountId, actor: owner }, { requiresDeclineReason: true }),
  'creating an account': ({ deps }) =>
    createAccount(deps, TESTER, { name: 'Other', email: 'other@firm.example', password: TEST_PASSWORD }),
  'rebuilding the counted index': ({ deps }) => rebuildIndexes(deps, TESTER),
};

test.each(Object.entries(CHANGES))(
  '%s happens together with its activity entry, or not at all',
  async (_name, change) => {
    const url = await newDatabase(inject('engine'));
    const scene = await openScene(await openTestStoreAt(url));
    // An attempt to sign in, or a new password, is counted before its outcome is known.
    const rows = async (): ReturnType<typeof allRowsIn> => ({ ...(await allRowsIn(url)), sign_in_attempts: [] });
    const before = await rows();

    const mend = await breakActivityLog(url);
    onTestFinished(() => mend().catch(() => {}));
    await expect(change(scene)).rejects.toThrow('the activity log is broken');
    expect(await rows()).toEqual(before);

    await mend();
    await change(scene).catch(() => {});
    const after = await allRowsIn(url);
    expect(after.activity_entries?.length).toBeGreaterThan(before.activity_entries?.length ?? 0);
  },
);

test('if the first account cannot be created, the set-up link can still be used', async () => {
  const url = await newDatabase(inject('engine'));
  const deps = { ...(await openTestStoreAt(url)), clock: new TestClock() };
  const token = (await createSetUpLink(deps)) ?? '';
  const before = await allRowsIn(url);
  const request = { token, name: 'Firm', email: 'owner@firm.example', password: TEST_PASSWORD };
  const mend = await breakActivityLog(url);
  await expect(setUp(deps, request, ORIGIN.address)).rejects.toThrow('the activity log is broken');
  await mend();
  expect(await allRowsIn(url)).toEqual(before);
  expect(await setUp(deps, request, ORIGIN.address)).toMatchObject({ email: 'owner@firm.example', role: 'owner' });
});
