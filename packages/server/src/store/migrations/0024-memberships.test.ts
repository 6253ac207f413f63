import { expect, inject, test } from 'vitest';
import { anAccount, TestClock } from '../../testing/builders.ts';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

test('after the upgrade, members and their sessions, passkeys and identities are there, and an email can join another account', async () => {
  const url = await oldDatabase(inject('engine'), 23);
  for (const statement of [
    `insert into accounts (name, created_at) values ('Firm', 0), ('Other', 0)`,
    `insert into workspaces (account_id, environment) values (1, 'production'), (1, 'sandbox'), (2, 'production'), (2, 'sandbox')`,
    `insert into members (account_id, email, email_folded, role, password_hash, created_at) values
      (1, 'Ann@firm.example', 'ann@firm.example', 'owner', 'hash', 1), (2, 'bob@firm.example', 'bob@firm.example', 'owner', 'hash', 2)`,
    `insert into member_identities (issuer, subject, account_id, member_id, created_at) values ('https://service', 'ann', 1, 1, 3)`,
    `insert into sessions (account_id, member_id, id, hash, created_at, proved_at, seen_at, address, agent)
      values (1, 1, 'session', 'token', 4, 4, 4, '', '')`,
  ]) {
    await onDatabase(url, statement);
  }

  const store = await openTestStoreAt(url);
  const identity = { issuer: 'https://service', subject: 'ann', email: undefined };
  expect(await store.credentials.byEmail('ann@firm.example')).toMatchObject([
    { member: { id: 1, accountId: 1, email: 'Ann@firm.example', role: 'owner' }, accountName: 'Firm' },
  ]);
  expect(await store.identities.find(identity)).toEqual([{ accountId: 1, memberId: 1 }]);
  expect(await store.sessions.list(1, 1)).toMatchObject([{ id: 'session' }]);

  const clock = new TestClock();
  const { id } = await anAccount(store, clock, { name: 'Third', email: 'ANN@firm.example' });
  expect((await store.credentials.byEmail('ann@firm.example')).map(({ member }) => member.accountId)).toEqual([1, id]);
  const again = store.changeAccount({ accountId: 1, actor: { name: 'test', address: '' }, at: 5 }, (change) =>
    change.members.add({ email: 'ann@FIRM.example', role: 'viewer', passwordHash: 'hash', createdAt: 5 }),
  );
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
  expect((await store.checkConsistency()).problems).toEqual([]);
});
