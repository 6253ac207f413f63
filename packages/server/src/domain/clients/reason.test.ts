import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../store/open-store.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import type { ChangeBy } from '../change.ts';
import { updateAccount } from '../members/update-account.ts';
import { changeManyClients } from './change-many-clients.ts';
import { importRows } from './import-clients.ts';
import { changeClientIfUnchanged, findClient, setClientStatus, setRequestStatus } from './manage-clients.ts';
import { checkClient, createClient, putClient, updateClient } from './write-clients.ts';

const [FIRST, SECOND] = ['1700000000000-0001', '1700000000000-0002'];
const MISSING = {
  code: 'bad_parameter',
  message: 'reason is missing: the account requires one to decline a client.',
};

let deps: Store & { clock: TestClock };
let by: ChangeBy;
let accountId: number;

beforeEach(async () => {
  const clock = new TestClock();
  deps = { ...(await openTestStore()), clock };
  const workspace = await aWorkspace(deps, clock, 'a@firm.example');
  accountId = workspace.accountId;
  by = { workspaceId: workspace.workspaceId, actor: TESTER };
  await addClients(deps, by.workspaceId, [
    aClient({ referenceId: FIRST, externalId: 'E1' }),
    aClient({ referenceId: SECOND }),
  ]);
});

const requireReasons = (requiresDeclineReason: boolean) =>
  updateAccount(deps, { accountId, actor: TESTER }, { requiresDeclineReason });

const lastReason = async (referenceId: string) =>
  (await deps.clients.history(by.workspaceId, referenceId)).at(-1)?.reason;

const write = <T>(work: (change: Parameters<typeof updateClient>[0]) => Promise<T>) =>
  deps.changeWorkspace({ ...by, at: deps.clock.now() }, work);

/** Every way to decline a client, with or without a reason. */
const WAYS: Record<string, (reason?: string) => Promise<unknown>> = {
  'on the command line': (reason) => setRequestStatus(deps, by, FIRST, 'declined', reason),
  'in the dashboard': async (reason) => {
    const { email, name, type, groupName, requestStatus, status } = await findClient(deps, by.workspaceId, FIRST);
    const expected = { email, name, type, groupName, requestStatus, status };
    return changeClientIfUnchanged(deps, by, FIRST, { expected, patch: { requestStatus: 'declined' }, reason });
  },
  'together with others': (reason) =>
    changeManyClients(deps, by, { referenceIds: [FIRST, SECOND], requestStatus: 'declined', reason }),
  'through the API': (reason) =>
    write((change) => updateClient(change, FIRST, { requestStatus: 'declined' }, { reason })),
  'through the API by its external id': (reason) =>
    write((change) => putClient(change, 'E1', { requestStatus: 'declined' }, { reason, now: deps.clock.now() })),
};

test.each(Object.entries(WAYS))(
  'a client is declined %s without a reason, unless one is required',
  async (_, decline) => {
    await requireReasons(true);
    for (const reason of [undefined, '', '  \n']) await expect(decline(reason)).rejects.toMatchObject(MISSING);
    expect((await findClient(deps, by.workspaceId, FIRST)).requestStatus).toBe('requested');
    await decline(' The documents are not genuine. ');
    expect((await findClient(deps, by.workspaceId, FIRST)).requestStatus).toBe('declined');
    expect(await lastReason(FIRST)).toBe('The documents are not genuine.');

    await requireReasons(false);
    await setRequestStatus(deps, by, FIRST, 'requested');
    await decline();
    expect((await findClient(deps, by.workspaceId, FIRST)).requestStatus).toBe('declined');
    expect(await lastReason(FIRST)).toBeNull();
  },
);

test('a reason is required for declining only, and not for adding or importing a declined client', async () => {
  await requireReasons(true);
  await setRequestStatus(deps, by, FIRST, 'accepted');
  await setClientStatus(deps, by, FIRST, 'inactive');
  const rows = [{ line: 1, ...aClient({ referenceId: SECOND, requestStatus: 'declined' }) }];
  expect((await importRows(deps, by, rows, { id: 'x', name: 'x.csv' })).outcomes).toEqual(['updated']);
  // It is declined already, so this declines nobody.
  await write((change) => updateClient(change, SECOND, { requestStatus: 'declined', name: 'New' }));
  const given = { email: 'new@mail.example', name: 'New', type: 'company', groupName: 'New' } as const;
  await write((change) => createClient(change, checkClient({ ...given, requestStatus: 'declined' }, deps.clock.now())));
  expect((await deps.clients.read(by.workspaceId, {}, { offset: 0, limit: 10 })).totalCount).toBe(3);
});

test('what the client does not allow is said before the reason is missed', async () => {
  await requireReasons(true);
  await expect(setRequestStatus(deps, by, '1700000000000-9999', 'declined')).rejects.toMatchObject({
    code: 'not_found',
  });
  for (const status of ['accepted', 'pending', 'completed'] as const) await setRequestStatus(deps, by, FIRST, status);
  await expect(setRequestStatus(deps, by, FIRST, 'declined')).rejects.toMatchObject({ code: 'conflict' });
});

test('what one account requires does not concern another one', async () => {
  await requireReasons(true);
  const other = await aWorkspace(deps, deps.clock, 'b@firm.example');
  await addClients(deps, other.workspaceId, [aClient({ referenceId: FIRST })]);
  const elsewhere = { workspaceId: other.workspaceId, actor: TESTER };
  expect(await setRequestStatus(deps, elsewhere, FIRST, 'declined')).toMatchObject({ requestStatus: 'declined' });
});

test('a reason has at most 500 characters, and must be text', async () => {
  await expect(setRequestStatus(deps, by, FIRST, 'accepted', 'x'.repeat(501))).rejects.toThrow(
    'reason must have at most 500 characters.',
  );
  await expect(setRequestStatus(deps, by, FIRST, 'accepted', 'a\0b')).rejects.toThrow(
    'reason must not contain a NUL character.',
  );
  await setRequestStatus(deps, by, FIRST, 'accepted', ` ${'x'.repeat(500)} `);
  expect(await lastReason(FIRST)).toBe('x'.repeat(500));
});

test('many clients that are changed together get the same reason', async () => {
  const request = { referenceIds: [FIRST, SECOND], requestStatus: 'accepted', reason: 'A new rule.' } as const;
  expect(await changeManyClients(deps, by, request)).toMatchObject({ changed: 2, refused: [] });
  expect([await lastReason(FIRST), await lastReason(SECOND)]).toEqual(['A new rule.', 'A new rule.']);
});
