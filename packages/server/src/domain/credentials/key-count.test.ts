import { expect, inject, test } from 'vitest';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { KEYS_MAX } from './key-bounds.ts';
import { createKey, revokeKey } from './manage-keys.ts';

test('a workspace has at most a thousand keys, and one that was revoked a day ago makes room for a new one', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const clock = new TestClock();
  const { key, workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const other = await aWorkspace(store, clock, 'b@firm.example');
  const numbers = Array.from(
    { length: KEYS_MAX - 1 },
    (_, n) => `(${workspaceId}, 'key_${n}', 'x', '', 'clients:read', '', 0, 0)`,
  );
  await onDatabase(
    url,
    `insert into api_keys (workspace_id, id, name, note, scopes, allowed_networks, created_at, version) values ${numbers.join()}`,
  );
  const deps = { ...store, clock, onKeysChanged: async () => {} };
  const create = (of: number) =>
    createKey(deps, { workspaceId: of, actor: TESTER }, { environment: 'production', name: 'one more' });

  await expect(create(workspaceId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^This environment has 1000 API keys, which is the most\. Revoke/),
  });
  await create(other.workspaceId);
  await revokeKey(deps, { workspaceId, actor: TESTER }, key.id);
  await expect(create(workspaceId), 'a token of it may still live').rejects.toMatchObject({ code: 'conflict' });
  clock.advance(86_401);
  await create(workspaceId);
  expect(await store.keys.find(workspaceId, key.id)).toBeUndefined();
  await expect(create(workspaceId)).rejects.toMatchObject({ code: 'conflict' });
});
