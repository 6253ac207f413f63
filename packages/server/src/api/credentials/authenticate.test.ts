import { type KeyObject, randomUUID } from 'node:crypto';
import { generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createKey, revokeAnyKey } from '../../domain/credentials/manage-keys.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../../testing/builders.ts';
import { rawRequest } from '../../testing/raw-request.ts';
import { LIST_PATH, openTestApi, type TestApi, TOKEN_PATH } from '../../testing/test-api.ts';

const CHALLENGE = 'Bearer realm="rollcall"';
const INVALID = `${CHALLENGE}, error="invalid_token"`;

async function setUp() {
  const api = await openTestApi();
  const workspace = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspace.workspaceId, [aClient()]);
  return { api, ...workspace, token: await api.token(workspace.secret) };
}

const list = (api: TestApi, authorization: string) => api.get(LIST_PATH, { authorization });

describe('a bearer token', () => {
  test('is requested by a challenge without an error code when none was sent', async () => {
    const { api } = await setUp();
    const answer = await api.get(LIST_PATH);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      status_code: 401,
      message: expect.stringMatching(/^Authentication credentials were not provided\. .*Authorization: Bearer/),
      data: null,
    });
    expect(answer.headers.get('www-authenticate')).toBe(CHALLENGE);
  });

  test('is accepted with the scheme in any letter case, and nowhere but in the header', async () => {
    const { api, token } = await setUp();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(await list(api, `${scheme} ${token}`)).toMatchObject({ status: 200 });
    }
    expect(await api.get(`${LIST_PATH}?access_token=${token}`)).toMatchObject({ status: 401 });
  });

  test('is refused when malformed', async () => {
    const { api, token } = await setUp();
    const cases = [
      `Basic ${token}`,
      'Bearer',
      'Bearer ',
      `Bearer  ${token}`,
      `Bearer\t${token}`,
      `Bearer ${token} ${token}`,
      token,
      'Bearer garbage',
      'Bearer a.b.c',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -10)}`,
      `Bearer ${token.split('.').slice(0, 2).join('.')}.`,
    ];
    for (const authorization of cases) {
      const answer = await list(api, authorization);
      expect(answer.status, authorization).toBe(401);
      expect(answer.body.message, authorization).toMatch(/^Invalid access token/);
      expect(answer.headers.get('www-authenticate')).toBe(INVALID);
    }
    for (const lines of [`Authorization: \r\n`, `Authorization: Bearer ${token}\r\n`.repeat(2)]) {
      const answer = await rawRequest(api.address.production, `GET ${LIST_PATH} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).message).toMatch(/^Invalid access token/);
    }
  });

  test('is refused when it was forged, in any way', async () => {
    const { api, key, workspaceId } = await setUp();
    const ours = api.signingKeys.current();
    const stranger = await generateKeyPair('Ed25519');
    const secret = new TextEncoder().encode('a secret of at least thirty-two bytes');
    const forge = (
      signer: KeyObject | CryptoKey | Uint8Array,
      header: { [Name in keyof JWTHeaderParameters]?: JWTHeaderParameters[Name] | undefined },
      claims = {},
    ) => {
      const now = Math.floor(api.clock.now() / 1000);
      const payload = {
        iss: 'rollcall',
        aud: 'production',
        sub: key.id,
        workspace: workspaceId,
        iat: now,
        exp: now + 60,
      };
      return new SignJWT({ ...payload, ...claims })
        .setProtectedHeader({ alg: 'Ed25519', typ: 'at+jwt', kid: ours.kid, ...header } as JWTHeaderParameters)
        .sign(signer, { crit: { invented: true } });
    };
    const unsigned = `${encode({ alg: 'none', typ: 'at+jwt', kid: ours.kid })}.${encode({ sub: key.id, workspace: workspaceId })}.`;
    const now = Math.floor(api.clock.now() / 1000);

    expect(await list(api, `Bearer ${await forge(ours.privateKey, {})}`), 'the control').toMatchObject({ status: 200 });
    const forgeries: Record<string, string> = {
      'alg none': unsigned,
      'another algorithm': await forge(secret, { alg: 'HS256' }),
      'another key': await forge(stranger.privateKey, {}),
      'an unknown kid': await forge(ours.privateKey, { kid: randomUUID() }),
      'no kid': await forge(ours.privateKey, { kid: undefined }),
      'a key of its own': await forge(stranger.privateKey, {
        kid: undefined,
        jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
      }),
      'a key from elsewhere': await forge(stranger.privateKey, { kid: undefined, jku: 'http://127.0.0.1:1/keys' }),
      'a critical extension': await forge(ours.privateKey, { crit: ['invented'], invented: 1 }),
      'another type': await forge(ours.privateKey, { typ: 'JWT' }),
      'another issuer': await forge(ours.privateKey, {}, { iss: 'somebody' }),
      'another audience': await forge(ours.privateKey, {}, { aud: 'sandbox' }),
      'no workspace': await forge(ours.privateKey, {}, { workspace: 'all' }),
      'no end': await forge(ours.privateKey, {}, { exp: undefined }),
      'a clock two minutes ahead': await forge(ours.privateKey, {}, { iat: now + 120 }),
    };
    for (const [what, token] of Object.entries(forgeries)) {
      const answer = await list(api, `Bearer ${token}`);
      expect(answer.status, what).toBe(401);
      expect(answer.body.message, what).toMatch(/^Invalid access token/);
      expect(answer.headers.get('www-authenticate'), what).toBe(INVALID);
    }
    const fromFastClock = await forge(ours.privateKey, {}, { iat: now + 30 });
    expect(await list(api, `Bearer ${fromFastClock}`), 'a small clock difference').toMatchObject({ status: 200 });
  });

  test('works until it expires, and is then refused with that reason', async () => {
    const { api, token } = await setUp();
    api.clock.advance(3599);
    expect(await list(api, `Bearer ${token}`)).toMatchObject({ status: 200 });
    api.clock.advance(1);
    const answer = await list(api, `Bearer ${token}`);
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.body.message).toMatch(/^Access token has expired/);
    expect(answer.headers.get('www-authenticate')).toBe(INVALID);
  });

  test('ends with its API key, while the tokens of other keys stay valid', async () => {
    const { api, key, token, workspaceId } = await setUp();
    const { store, clock } = api;
    const other = await createKey(
      { ...store, clock },
      { workspaceId, actor: TESTER },
      { environment: 'production', name: 'other' },
    );
    const otherToken = await api.token(other.secret);

    await revokeAnyKey({ ...store, clock }, TESTER, key.id);
    await api.keyDirectory.load();
    const answer = await list(api, `Bearer ${token}`);
    expect(answer.status).toBe(401);
    expect(answer.body.message).toMatch(/^Access token has been revoked/);
    expect(answer.headers.get('www-authenticate')).toBe(INVALID);
    expect(await list(api, `Bearer ${otherToken}`)).toMatchObject({ status: 200 });
  });

  test('of one environment is refused in the other, with a message that names its own', async () => {
    const { api, token } = await setUp();
    const answer = await api.get(LIST_PATH, { authorization: `Bearer ${token}` }, 'sandbox');
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe(
      'Invalid access token: it is a production token and this is the sandbox environment.',
    );
  });

  test('stays valid when a newer one is issued', async () => {
    const { api, secret, token } = await setUp();
    await api.get(TOKEN_PATH, { 'api-key': secret });
    expect(await list(api, `Bearer ${token}`)).toMatchObject({ status: 200 });
  });
});

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
