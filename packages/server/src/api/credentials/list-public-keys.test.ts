import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { rotateSigningKey } from '../../domain/credentials/manage-signing-keys.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { aWorkspace, TestClock } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, send } from '../../testing/test-api.ts';

const PATH = '/.well-known/jwks.json';

/** With the real time, because jose refetches the keys by its own clock. */
async function setUp() {
  const api = await openTestApi(undefined, { clock: new TestClock(Date.now()) });
  const workspace = await aWorkspace(api.store, api.clock, 'a@firm.example');
  return { api, ...workspace, token: await api.token(workspace.secret) };
}

function verify(token: string, keys: JWTVerifyGetKey, clock: TestClock) {
  const currentDate = new Date(clock.now());
  return jwtVerify(token, keys, { issuer: 'rollcall', audience: 'production', typ: 'at+jwt', currentDate });
}

test('another service verifies an access token with the address of the public keys alone', async () => {
  const { api, token, key, secret } = await setUp();
  const keys = createRemoteJWKSet(new URL(api.address.production + PATH));
  const { payload, protectedHeader } = await verify(token, keys, api.clock);
  expect(payload).toMatchObject({ iss: 'rollcall', aud: 'production', sub: key.id });
  expect(protectedHeader.alg).toBe('Ed25519');

  // The next key is among those that it has already fetched.
  await rotateSigningKey({ ...api.store, clock: api.clock });
  await api.signingKeys.load();
  api.clock.advance(10);
  const later = await api.token(secret);
  const known = keys.jwks()?.keys.length;
  expect((await verify(later, keys, api.clock)).protectedHeader.kid).not.toBe(protectedHeader.kid);
  expect(keys.jwks()?.keys.length, 'nothing was fetched for it').toBe(known);
  expect((await verify(token, keys, api.clock)).payload.sub).toBe(key.id);
  expect(decodeJwt(later).aud).toBe('production');
  expect(await api.get(LIST_PATH, { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
});

test('the answer is a plain JWK Set of public keys that may be cached, the same in both environments', async () => {
  const { api } = await setUp();
  await rotateSigningKey({ ...api.store, clock: api.clock });
  await api.signingKeys.load();
  const answers = await Promise.all(ENVIRONMENTS.map((each) => api.get(PATH, {}, each)));
  for (const { status, headers, text } of answers) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/jwk-set+json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-request-id')).toEqual(expect.any(String));
    expect(text).toBe(answers[0]?.text);
    const { keys, ...others } = JSON.parse(text);
    expect(others).toEqual({});
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual(
      (await api.store.signingKeys.all()).map(({ kid }) => kid).reverse(),
    );
    for (const key of keys) {
      expect(key).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.any(String),
        use: 'sig',
        alg: 'Ed25519',
      });
    }
  }
});

test('HEAD works like GET, the trailing slash is optional, and other methods are refused in the envelope', async () => {
  const { api } = await setUp();
  const url = api.address.sandbox + PATH;
  const [get, head] = [await send(url), await send(url, { method: 'HEAD' })];
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers.get('content-length')).toBe(String(get.text.length));
  expect(await send(`${url}/`)).toMatchObject({ status: 200, text: get.text });
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await send(url, { method });
    expect(answer).toMatchObject({ status: 405, body: { status_code: 405, data: null } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});
