import { createKey } from '../../../server/src/domain/credentials/manage-keys.ts';
import { aWorkspace, TESTER } from '../../../server/src/testing/builders.ts';
import { openTestApi } from '../../../server/src/testing/test-api.ts';
import { Rollcall } from '../rollcall.ts';
import type { RollcallOptions } from '../settings.ts';

/** The real service, and a client for it that may read and write. */
export async function openReal(options: Partial<RollcallOptions> = {}) {
  const { store, clock, address } = await openTestApi();
  const { workspaceId, secret: readingKey } = await aWorkspace(store, clock, 'owner@firm.example');
  const { secret } = await createKey(
    { ...store, clock },
    { workspaceId, actor: TESTER },
    { environment: 'production', name: 'writer', scopes: ['clients:read', 'clients:write'] },
  );
  const baseUrl = address.production;
  return {
    clock,
    baseUrl,
    secret,
    rollcall: new Rollcall({ apiKey: secret, baseUrl, retryBaseMs: 1, ...options }),
    reading: new Rollcall({ apiKey: readingKey, baseUrl }),
  };
}
