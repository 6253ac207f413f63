import { expect, inject, test } from 'vitest';
import { onDatabase } from '../testing/raw-database.ts';
import { openTestApi } from '../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';

test('a node that cannot sign access tokens says that it is not ready, and why', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const ready = await openTestApi(store);
  expect((await ready.get('/readyz')).status).toBe(200);

  await onDatabase(url, "update signing_keys set sealed_private_jwk = sealed_private_jwk || 'AA'");
  const api = await openTestApi(store);
  for (const path of ['/readyz', '/readyz?write']) {
    const { status, body } = await api.get(path);
    expect(status, path).toBe(503);
    expect(body.message).toMatch(/^Service temporarily unavailable: access tokens cannot be signed/);
  }
  expect((await api.get('/healthz')).status).toBe(200);
});
