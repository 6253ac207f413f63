import { expect, test } from 'vitest';
import { cancelBulkChange } from '../domain/clients/manage-bulk-changes.ts';
import { correctClient, eraseClient } from '../domain/clients/manage-clients.ts';
import { cancelImportIn } from '../domain/clients/manage-imports.ts';
import { addSample } from '../domain/clients/sample-clients.ts';
import { createKey, revokeAnyKey } from '../domain/credentials/manage-keys.ts';
import { prepareSecret } from '../domain/manage-secret.ts';
import { createAccount } from '../domain/members/account.ts';
import { confirmSecondFactor, offerSecondFactor } from '../domain/members/manage-profile.ts';
import type { Member } from '../domain/members/member.ts';
import { codeAt } from '../domain/members/second-factor.ts';
import { actorOf } from '../domain/members/sign-in.ts';
import { InstallationSecret } from '../domain/sealed-text.ts';
import { aClient, addClients, aWorkspace, TEST_PASSWORD, TESTER, TestClock } from '../testing/builders.ts';
import { onServer } from '../testing/postgres-setup.ts';
import { onDatabase } from '../testing/raw-database.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { TEST_SECRET } from '../testing/test-secret.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { copyDatabase } from './copy-database.ts';
import { SecretFile } from './engines/sqlite/secret-file.ts';
import type { Store } from './open-store.ts';

const silently = () => {};

const SECRETS = { settings: [TEST_SECRET] };

/** A service with some of everything, and the credentials of its caller. */
async function aFullDatabase() {
  const url = await newDatabase('sqlite');
  const api = await openTestApi(await openTestStoreAt(url));
  const { store, clock } = api;
  const { workspaceId, secret } = await aWorkspace(store, clock, 'ÉVA@firm.example');
  const deps = { ...store, clock };
  const by = { workspaceId, actor: TESTER };
  const revoked = await createKey(deps, by, { environment: 'production', name: 'old' });
  await revokeAnyKey(deps, TESTER, revoked.key.id);
  await addSample(deps, TESTER, { workspaceId, clients: 700, groups: 5, seed: 3 });
  const client = aClient({ name: 'Zoë "\\" 🦊\u2028', groupName: '100%_\\' });
  const others = ['apple', '_x', 'Zebra', 'Äpfel'].map((groupName) => aClient({ groupName }));
  await addClients(store, workspaceId, [client, ...others, aClient({ referenceId: '1700000000000-0001' })]);
  await correctClient(deps, by, client.referenceId, { name: 'Zoë' });
  await eraseClient(deps, by, '1700000000000-0001');
  return { url, api, workspaceId, client, secret, token: await api.token(secret), revoked };
}

test('everything moves to PostgreSQL and back, and keys and tokens keep working', async () => {
  const before = await aFullDatabase();
  const target = await newDatabase('postgres');
  const steps: string[] = [];
  const copied = await copyDatabase(
    before.url,
    target,
    (step, table, rows) => steps.push(`${step} ${table} ${rows}`),
    SECRETS,
  );
  expect(copied.find(({ table }) => table === 'clients')?.rows).toBe(705);
  expect(steps).toContain('copied clients 705');
  expect(steps).toContain('checked clients 705');

  const after = await openTestApi(await openTestStoreAt(target));
  const list = `${LIST_PATH}?page_limit=1000`;
  const authorization = `Bearer ${before.token}`;
  const answer = await after.get(list, { authorization });
  expect(answer.status).toBe(200);
  const original = await before.api.get(list, { authorization });
  expect(answer.text).toBe(original.text);
  expect(answer.headers.get('etag'), 'a copy goes its own way').not.toBe(original.headers.get('etag'));
  expect(await after.get(TOKEN_PATH, { 'api-key': before.secret })).toMatchObject({ status: 200 });
  expect(await after.get(TOKEN_PATH, { 'api-key': before.revoked.secret })).toMatchObject({ status: 401 });
  const history = await after.store.clients.history(before.workspaceId, before.client.referenceId);
  expect(history).toEqual(await before.api.store.clients.history(before.workspaceId, before.client.referenceId));
  expect(history.map(({ kind }) => kind)).toEqual(['added', 'changed']);
  const groups = await after.store.groups.list(before.workspaceId);
  expect(groups, 'sorted alike').toEqual(await before.api.store.groups.list(before.workspaceId));
  expect((await after.store.checkConsistency()).problems).toEqual([]);
  const find = (store: Store) =>
    store.searches.find(before.workspaceId, { words: ['okafor', 'mail'] }, { offset: 0, limit: 1000 });
  const found = await find(before.api.store);
  expect(found.totalCount).toBeGreaterThan(10);
  expect(await find(after.store)).toEqual(found);

  const back = await newDatabase('sqlite');
  expect(await copyDatabase(target, back, silently, SECRETS)).toEqual(copied);
  const returned = await openTestStoreAt(back);
  expect(await find(returned)).toEqual(found);
  expect((await returned.checkConsistency()).problems).toEqual([]);

  const request = { name: 'Next', email: 'next@firm.example', password: TEST_PASSWORD };
  const { account } = await createAccount({ ...after.store, clock: after.clock }, TESTER, request);
  expect(account.id, 'numbers go on where they were').toBe(2);
});

test('a target that is not empty is refused and not changed', async () => {
  const { url } = await aFullDatabase();
  const target = await newDatabase('postgres');
  const store = await openTestStoreAt(target);
  const { account } = await createAccount({ ...store, clock: { now: () => 0 } }, TESTER, {
    name: 'There',
    email: 'there@firm.example',
    password: TEST_PASSWORD,
  });
  await expect(copyDatabase(url, target, silently, SECRETS)).rejects.toThrow(
    'The target is not empty: accounts has rows. Nothing was copied.',
  );
  expect(await store.accounts.list()).toEqual([account]);
});

test('nothing is copied while an import or a change of many clients is not over', async () => {
  const url = await newDatabase('sqlite');
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const request = { name: 'x', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  await store.imports.begin({ workspaceId, id: 'imp_1', request, actor: TESTER, createdAt: 1 });
  const change = { workspaceId, actor: TESTER, at: 1 };
  await store.changeWorkspace(change, ({ imports }) => imports.enqueue('imp_1'));
  const target = await newDatabase('postgres');
  await expect(copyDatabase(url, target, silently, SECRETS)).rejects.toMatchObject({ code: 'conflict' });
  await store.changeWorkspace(change, (parts) => cancelImportIn(parts, 'imp_1'));
  const bulk = { id: 'chg_1', request: { patch: {}, filter: {} }, actor: TESTER, total: 1 };
  await store.changeWorkspace(change, ({ bulkChanges }) => bulkChanges.enqueue(bulk));
  await expect(copyDatabase(url, target, silently, SECRETS)).rejects.toThrow('has not finished a change of clients');
  await cancelBulkChange({ ...store, clock: { now: () => 1 } }, change, 'chg_1');
  const copied = await copyDatabase(url, target, silently, SECRETS);
  expect(copied.find(({ table }) => table === 'import_jobs')?.rows).toBe(1);
  expect(copied.find(({ table }) => table === 'bulk_changes')?.rows).toBe(1);
});

test('a copy that fails leaves the target empty', async () => {
  const { url } = await aFullDatabase();
  const target = await newDatabase('postgres');
  await onServer(target, 'alter table client_events add constraint in_the_way check (client_id < 600)');
  await expect(copyDatabase(url, target, silently, SECRETS)).rejects.toThrow(/in_the_way/);
  await onServer(target, 'alter table client_events drop constraint in_the_way');
  expect(await copyDatabase(url, target, silently, SECRETS)).not.toEqual([]);
});

test('what is encrypted opens with the secret of the copy alone', async () => {
  const { url, api, secret } = await aFullDatabase();
  const owner = (await api.store.credentials.byEmail('éva@firm.example'))[0]?.member;
  const deps = { ...api.store, clock: api.clock, concurrencyLimit: undefined as never };
  const actor = actorOf(owner as Member, { address: '' });
  const offered = await offerSecondFactor(deps, actor);
  await confirmSecondFactor(deps, { id: 'any', tokenHash: '' }, actor, codeAt(offered.secret, api.clock.now()));
  const target = await newDatabase('postgres');
  const other = InstallationSecret.generate();
  await expect(copyDatabase(url, target, silently, { settings: [other] })).rejects.toThrow(
    /^The database to copy cannot be read\. .+ another secret .+ ROLLCALL_SECRET or in the file \S+rollcall\.secret, /,
  );
  await copyDatabase(url, target, silently, { ...SECRETS, target: other });

  const copy = await openTestStoreAt(target, { secrets: [other] });
  const sealed = (await copy.credentials.byEmail('éva@firm.example'))[0]?.secondFactor?.sealedSecret ?? '';
  expect(copy.secrets.open({ table: 'members', column: 'second_factor_secret', row: actor.memberId }, sealed)).toBe(
    offered.secret,
  );
  const after = await openTestApi(copy);
  expect(await after.token(secret)).toMatch(/^ey/);
  expect((await copy.checkConsistency()).problems).toEqual([]);
  await expect(prepareSecret({ ...(await openTestStoreAt(target)), clock: after.clock })).rejects.toThrow(
    /another secret/,
  );
});

test('a copy to SQLite has a secret of its own in its folder; one to PostgreSQL is refused without a secret', async () => {
  const { url } = await aFullDatabase();
  const copy = await newDatabase('sqlite');
  await expect(
    copyDatabase(url, copy, silently, { settings: [] }),
    'the source was encrypted with the setting',
  ).rejects.toThrow(/^The database to copy cannot be read\. The secret .+ is missing \(its id is /);
  const intoFile = await newDatabase('sqlite');
  const file = new SecretFile(intoFile.slice('sqlite:'.length));
  await copyDatabase(url, intoFile, silently, { ...SECRETS, target: file.make() });
  const again = await newDatabase('sqlite');
  await copyDatabase(intoFile, again, silently, { settings: [] });
  const id = await (await openTestStoreAt(again)).sealed.secretId();
  expect(id).toBe(new SecretFile(again.slice('sqlite:'.length)).read()[0]?.id);
  expect(id).not.toBe(file.make().id);

  const target = await newDatabase('postgres');
  await expect(copyDatabase(intoFile, target, silently, { settings: [] })).rejects.toThrow(
    /^The copy has no secret: ROLLCALL_SECRET is not set\./,
  );
  await copyDatabase(intoFile, target, silently, SECRETS);
  expect(await (await openTestStoreAt(target)).sealed.secretId(), 'the file opened, and the setting sealed').toBe(
    TEST_SECRET.id,
  );
});

/** What changes when a database is rewritten: on SQLite, free pages disappear; on PostgreSQL, tables get new files. */
const STORAGE = {
  sqlite: 'pragma freelist_count',
  postgres: `select relname, relfilenode from pg_class where relname in ('members', 'signing_keys') order by relname`,
};

test.each(['sqlite', 'postgres'] as const)('the first start on a copy in %s does not rewrite it', async (engine) => {
  const { url } = await aFullDatabase();
  const target = await newDatabase(engine);
  await copyDatabase(url, target, silently, SECRETS);
  await onDatabase(target, `create table filler as select '${'x'.repeat(50_000)}' as text`);
  await onDatabase(target, 'drop table filler');
  const before = await onDatabase(target, STORAGE[engine]);
  expect(before).not.toContainEqual({ freelist_count: 0 });
  await (await openTestStoreAt(target)).sealed.removeRemains();
  expect(await onDatabase(target, STORAGE[engine])).toEqual(before);
});
