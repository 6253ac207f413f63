import { expect, test } from 'vitest';
import { TEST_PASSWORD, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { createAccount, findAccount } from './account.ts';
import { hashPassword } from './password.ts';
import { createResetLink } from './reset-password.ts';

const ANN = 'ann@person.example';
const BOB = 'bob@person.example';

async function openAccounts() {
  const store = await openTestStore();
  const deps = { ...store, clock: new TestClock() };
  const create = async (name: string, email = ANN) => (await createAccount(deps, TESTER, { name, email })).account;
  return { deps, create };
}

test('somebody can own several accounts, but not two of the same name', async () => {
  const { deps, create } = await openAccounts();
  const first = await create('First');
  await create('Second');
  await create('First', BOB);
  await expect(create('First', 'ANN@person.example')).rejects.toMatchObject({
    code: 'conflict',
    message: `ANN@person.example already owns an account with the name First: its id is ${first.id}.`,
  });
  expect(await deps.accounts.list()).toHaveLength(3);
});

test('an account is found by its id, or by the email of an owner who has only one, and otherwise the ids are named', async () => {
  const { deps, create } = await openAccounts();
  const first = await create('First');
  expect(await findAccount(deps, 'Ann@person.example')).toMatchObject({ id: first.id });
  const second = await create('Second');
  expect(await findAccount(deps, String(second.id))).toMatchObject({ name: 'Second' });
  await expect(findAccount(deps, ANN)).rejects.toMatchObject({
    code: 'conflict',
    message: `${ANN} belongs to several accounts: ${first.id} (First), ${second.id} (Second). Give the id of one with --account.`,
  });
  const foreign = await create('Foreign', 'mallory@person.example');
  await deps.changeAccount({ accountId: foreign.id, actor: TESTER, at: 0 }, async (change) => {
    const passwordHash = await hashPassword(TEST_PASSWORD);
    await change.members.add({ email: BOB, role: 'owner', passwordHash, createdAt: 0 });
    change.record('member.joined', BOB);
  });
  const own = await create('Own', BOB);
  await expect(
    findAccount(deps, BOB),
    'one account was made for them, of another they were made an owner',
  ).rejects.toThrow(`${foreign.id} (Foreign), ${own.id} (Own)`);
  for (const nothing of ['999', 'nobody@person.example', '', '1e3', '99999999999999999999']) {
    await expect(findAccount(deps, nothing), nothing).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a link for a lost password is made for one account, which has to be named if the email is known in several', async () => {
  const { deps, create } = await openAccounts();
  const first = await create('First');
  const second = await create('Second');
  const ask = (accountId?: number) => createResetLink(deps, TESTER, { email: ANN, accountId, endSessions: false });
  await expect(ask()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`${first.id} (First), ${second.id} (Second)`),
  });
  expect((await ask(second.id)).member.accountId).toBe(second.id);
  await expect(ask(999)).rejects.toMatchObject({ code: 'not_found' });
});
