import { expect, inject, test } from 'vitest';
import { makeSecret, previewOf } from '../../domain/credentials/api-key.ts';
import { listKeys, readKey } from '../../domain/credentials/describe-keys.ts';
import { NOBODY_TO_TELL } from '../../domain/credentials/key-facts.ts';
import { revokeKey } from '../../domain/credentials/manage-keys.ts';
import { rollKey } from '../../domain/credentials/roll-key.ts';
import { hashSecret } from '../../domain/secret.ts';
import { TESTER, TestClock } from '../../testing/builders.ts';
import { oldDatabase } from '../../testing/old-database.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { openTestStoreAt } from '../../testing/test-store.ts';

const clock = new TestClock();
const TODAY = Math.floor(clock.now() / 86_400_000);

/** A database of the version before, with keys in use. */
async function beforeTheUpgrade() {
  const url = await oldDatabase(inject('engine'), 9);
  const [valid, revoked] = [makeSecret('production'), makeSecret('production')];
  const key = (id: string, secret: string, ends: string) =>
    `insert into api_keys (workspace_id, id, name, hash, preview, created_at, created_by, expires_at, revoked_at)
     values (1, '${id}', 'Key ''${id}''', '${hashSecret(secret)}', '${previewOf(secret)}', 1000, 'a@firm.example', ${ends})`;
  const use = (id: string, day: number, calls: number, at: number) =>
    `insert into key_usage (workspace_id, key_id, day, calls, last_used_at) values (1, '${id}', ${day}, ${calls}, ${at})`;
  for (const statement of [
    `insert into accounts (name, created_at) values ('Firm', 0)`,
    `insert into workspaces (account_id, environment, version) values (1, 'production', 7)`,
    `insert into workspaces (account_id, environment) values (1, 'sandbox')`,
    key('key_valid', valid, 'null, null'),
    key('key_revoked', revoked, `${clock.now() + 1000}, 5000`),
    use('key_valid', TODAY - 40, 100, 2000),
    use('key_valid', TODAY - 1, 4, 3000),
    use('key_valid', TODAY, 5, 4000),
    use('key_gone', TODAY, 6, 4000),
  ]) {
    await onDatabase(url, statement);
  }
  return { url, valid, revoked };
}

test('after the upgrade, keys work as before, may read, and can be rolled and revoked', async () => {
  const { url, valid, revoked } = await beforeTheUpgrade();
  const store = await openTestStoreAt(url);
  const api = await openTestApi(store, { clock });
  const by = { workspaceId: 1, actor: TESTER };
  const list = async (token: string) => (await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).status;

  expect(await store.keys.find(1, 'key_valid')).toEqual({
    id: 'key_valid',
    workspaceId: 1,
    environment: 'production',
    name: "Key 'key_valid'",
    note: '',
    scopes: ['clients:read'],
    allowedNetworks: [],
    rateLimit: null,
    createdAt: 1000,
    createdBy: 'a@firm.example',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: 4000,
    lastUsedFrom: null,
    secrets: [{ number: 1, preview: previewOf(valid), createdAt: 1000, endsAt: null, endedAt: null }],
    version: 0,
  });
  const token = await api.token(valid);
  expect(await list(token)).toBe(200);
  expect((await api.get(TOKEN_PATH, { 'api-key': revoked })).body.message).toBe(
    'Invalid API key: it has been revoked.',
  );

  const deps = { ...store, clock, onKeysChanged: NOBODY_TO_TELL };
  const rolled = await rollKey(deps, by, 'key_valid');
  await api.keyDirectory.load();
  expect([await list(token), await list(await api.token(rolled.secret))]).toEqual([200, 200]);
  await revokeKey(deps, by, 'key_valid');
  await api.keyDirectory.load();
  expect(await list(token)).toBe(401);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('after the upgrade, the calls of each day are those of the hour after noon, and none is lost', async () => {
  const { url } = await beforeTheUpgrade();
  const deps = { ...(await openTestStoreAt(url)), clock };
  const [used] = (await listKeys(deps, 1)).filter(({ id }) => id === 'key_valid');
  expect(used).toMatchObject({ recentCalls: 9, lastUsedAt: 4000 });
  expect(await deps.keyUsage.byHour(1, 'key_valid', 0)).toEqual(
    new Map([
      [(TODAY - 40) * 24 + 12, 100],
      [(TODAY - 1) * 24 + 12, 4],
      [TODAY * 24 + 12, 5],
    ]),
  );
  const { callsPerHour } = await readKey(deps, 1, 'key_valid');
  // It is half past nine, so today's hour after noon is not shown yet.
  expect(callsPerHour.slice(-34)).toEqual([...Array(12).fill(0), 4, ...Array(21).fill(0)]);
});

test('after the upgrade, a secret belongs to a key that exists, and programs that do not know secrets must stop', async () => {
  const { url } = await beforeTheUpgrade();
  await openTestStoreAt(url);
  const orphan = `insert into api_key_secrets (workspace_id, key_id, number, hash, preview, created_at)
    values (1, 'key_gone', 1, 'x', 'x', 0)`;
  await expect(onDatabase(url, orphan)).rejects.toThrow(/foreign key/i);
  const [row] = await onDatabase(url, 'select oldest_schema from compatibility');
  expect(Number(row?.oldest_schema)).toBeGreaterThanOrEqual(10);
});
