import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeSecret } from '../../domain/credentials/api-key.ts';
import { createKey, revokeAnyKey } from '../../domain/credentials/manage-keys.ts';
import { aWorkspace, TESTER } from '../../testing/builders.ts';
import { rawRequest } from '../../testing/raw-request.ts';
import { openTestApi, send, TOKEN_PATH } from '../../testing/test-api.ts';

describe('exchanging an API key', () => {
  test.each(['GET', 'POST'])(
    '%s gives a token that lasts as long as it says, and may not be cached',
    async (method) => {
      const api = await openTestApi();
      const { secret, key, workspaceId } = await aWorkspace(api.store, api.clock, 'a@firm.example');

      const answer = await send(api.address.production + TOKEN_PATH, { method, headers: { 'api-key': secret } });

      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toEqual({
        status_code: 200,
        message: 'Success',
        data: { access_token: expect.any(String), expires_in: 3600 },
      });
      const token = String(answer.body.data?.access_token);
      expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'Ed25519' });
      const claims = decodeJwt(token);
      expect(claims).toMatchObject({ iss: 'rollcall', aud: 'production', sub: key.id, workspace: workspaceId });
      expect(claims).toMatchObject({ secret: 1, scope: 'clients:read' });
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    },
  );

  test('works without the trailing slash, and does not read a body of any type', async () => {
    const api = await openTestApi();
    const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
    const url = api.address.production + TOKEN_PATH.slice(0, -1);
    for (const type of ['application/json', 'text/xml', 'multipart/form-data', 'nonsense']) {
      const headers = { 'api-key': secret, 'content-type': type };
      expect(await send(url, { method: 'POST', headers, body: '{not json' })).toMatchObject({ status: 200 });
    }
  });

  test('refuses what is not an API key with the same message for every caller', async () => {
    const api = await openTestApi();
    const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
    const typo = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
    const cases: [string, Record<string, string>][] = [
      ['missing', {}],
      ['empty', { 'api-key': '' }],
      ['nonsense', { 'api-key': 'nonsense' }],
      ['mistyped', { 'api-key': typo }],
      ['unknown', { 'api-key': makeSecret('production') }],
    ];
    for (const [what, headers] of cases) {
      const answer = await api.get(TOKEN_PATH, headers);
      expect(answer.status, what).toBe(401);
      expect(answer.body, what).toEqual({ status_code: 401, message: 'Invalid API key.', data: null });
    }
    expect(await api.get(`${TOKEN_PATH}?api-key=${secret}`)).toMatchObject({ status: 401 });
  });

  test('refuses two api-key headers, even two good ones', async () => {
    const api = await openTestApi();
    const { secret } = await aWorkspace(api.store, api.clock, 'a@firm.example');
    const answer = await rawRequest(
      api.address.production,
      `GET ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\napi-key: ${secret}\r\napi-key: ${secret}\r\n\r\n`,
    );
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body).message).toBe('Invalid API key.');
  });

  test('tells the holder of an API key why it is refused', async () => {
    const api = await openTestApi();
    const { store, clock } = api;
    const { workspaceId, key, secret } = await aWorkspace(store, clock, 'a@firm.example');
    const environment = 'production';
    const expiring = await createKey(
      { ...store, clock },
      { workspaceId, actor: TESTER },
      { environment, name: 'short', expiresAt: clock.now() + 90_000 },
    );

    expect((await api.get(TOKEN_PATH, { 'api-key': secret }, 'sandbox')).body.message).toBe(
      'Invalid API key: it is a production key and this is the sandbox environment.',
    );
    expect((await api.get(TOKEN_PATH, { 'api-key': expiring.secret })).body.data?.expires_in).toBe(90);
    clock.advance(90);
    expect((await api.get(TOKEN_PATH, { 'api-key': expiring.secret })).body.message).toBe(
      'Invalid API key: it has expired.',
    );
    await revokeAnyKey({ ...store, clock }, TESTER, key.id);
    expect((await api.get(TOKEN_PATH, { 'api-key': secret })).body.message).toBe(
      'Invalid API key: it has been revoked.',
    );
  });
});
