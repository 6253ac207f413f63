import { expect, test } from 'vitest';
import { TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { createAccount } from './account.ts';
import { updateAccount } from './update-account.ts';

test('the operator can require a second factor before anybody has one, and then change the other settings', async () => {
  const deps = { ...(await openTestStore()), clock: new TestClock() };
  const { account } = await createAccount(deps, TESTER, { name: 'Firm', email: 'ann@person.example' });
  const update = (given: Parameters<typeof updateAccount>[2]) =>
    updateAccount(deps, { accountId: account.id, actor: TESTER }, given);
  const none = { requiresDeclineReason: false, requiresSecondFactor: false, viewersMayExport: false };
  expect(await update({})).toEqual(none);
  expect(await update({ requiresSecondFactor: true })).toEqual({ ...none, requiresSecondFactor: true });
  const both = { ...none, requiresSecondFactor: true, viewersMayExport: true };
  expect(await update({ viewersMayExport: true })).toEqual(both);
  expect(await update({ requiresSecondFactor: false })).toEqual({ ...none, viewersMayExport: true });
});
