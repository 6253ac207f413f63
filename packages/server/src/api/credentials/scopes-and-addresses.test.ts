import { SignJWT } from 'jose';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import type { KeyFacts } from '../../domain/credentials/key-facts.ts';
import { createKey, type NewKeyRequest, updateKey } from '../../domain/credentials/manage-keys.ts';
import { rollKey } from '../../domain/credentials/roll-key.ts';
import { TokenCache } from '../../domain/credentials/token-cache.ts';
import { Backlog } from '../../http/backlog.ts';
import { Lifecycle } from '../../http/lifecycle.ts';
import { RequestLog } from '../../http/request-log.ts';
import { newServer } from '../../http/server.ts';
import { aClient, addClients, aWorkspace, TESTER } from '../../testing/builders.ts';
import { LIST_PATH, openTestApi, send, type TestApi, TOKEN_PATH } from '../../testing/test-api.ts';
import { openOnce } from '../../testing/when-finished.ts';
import { authorise } from '../authorise.ts';
import { type ApiAccess, defineApiRoute } from '../define-route.ts';

async function openScene() {
  const api = await openTestApi();
  const { store, clock, keyDirectory } = api;
  const { workspaceId, key, secret } = await aWorkspace(store, clock, 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
  const onKeysChanged = async (changed: readonly KeyFacts[]) => keyDirectory.follow(changed);
  const deps = { ...store, clock, onKeysChanged };
  const by = { workspaceId, actor: TESTER };
  const make = (request: Partial<NewKeyRequest>) =>
    createKey(deps, by, { environment: 'production', name: 'x', ...request });
  const list = (token: string) => api.get(LIST_PATH, { authorization: `Bearer ${token}` });
  return { api, deps, by, key, secret, make, list };
}

/** An API with a route that changes clients. */
async function openWritingApi({ signingKeys, keyDirectory, rateLimits, clock }: TestApi): Promise<string> {
  const deps = { tokens: new TokenCache({ signingKeys, clock }, 'production'), keyDirectory, rateLimits, clock };
  const lines = { write: () => {} };
  const server = newServer<ApiAccess>(
    {
      logger: pino({ level: 'silent' }),
      requestLog: new RequestLog(lines, 'test'),
      lifecycle: new Lifecycle(),
      backlog: new Backlog(),
      headers: [],
    },
    {
      routes: [
        defineApiRoute({
          methods: ['POST'],
          path: '/api/v1/invented/',
          operationId: 'invented',
          summary: '',
          description: '',
          access: { scope: 'clients:write' },
          data: Type.Object({}),
          others: {},
          handle: async (_context, succeed) => succeed({}),
        }),
      ],
      bodyTypes: [],
      ignoresBodies: true,
      authorise: (context, route) => authorise(deps, context, route),
    },
  );
  onTestFinished(() => server.close());
  return `${await server.listen({ host: '127.0.0.1', port: 0 })}/api/v1/invented/`;
}

test('a key may do what its scopes allow, and nothing else', async () => {
  const { api, make, list } = await openScene();
  const write = await openWritingApi(api);
  const ask = async (request: Partial<NewKeyRequest>) => {
    const token = await api.token((await make(request)).secret);
    const written = await send(write, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    return { read: await list(token), written };
  };

  const reader = await ask({});
  expect([reader.read.status, reader.written.status]).toEqual([200, 403]);
  expect(reader.written.body).toEqual({
    status_code: 403,
    message: 'Forbidden: this key may not change clients.',
    data: null,
  });
  expect(reader.written.headers.get('www-authenticate')).toBe(
    'Bearer realm="rollcall", error="insufficient_scope", scope="clients:write"',
  );
  const writer = await ask({ scopes: ['clients:write'] });
  expect([writer.read.status, writer.written.status]).toEqual([403, 200]);
  expect(writer.read.body.message).toBe('Forbidden: this key may not read clients.');
  expect(writer.read.headers.get('www-authenticate')).toContain('scope="clients:read"');
  const both = await ask({ scopes: ['clients:write', 'clients:read', 'clients:read'] });
  expect([both.read.status, both.written.status]).toEqual([200, 200]);
  await expect(make({ scopes: [] })).rejects.toMatchObject({ code: 'bad_parameter' });
});

test('tokens from before scopes and secrets may read, and end with the first secret', async () => {
  const { api, deps, by, key, list } = await openScene();
  const write = await openWritingApi(api);
  const { kid, privateKey } = api.signingKeys.current();
  const now = Math.floor(api.clock.now() / 1000);
  const sign = (claims: object) =>
    new SignJWT({ iss: 'rollcall', aud: 'production', sub: key.id, workspace: by.workspaceId, ...claims })
      .setProtectedHeader({ alg: 'Ed25519', typ: 'at+jwt', kid })
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(privateKey);
  const old = await sign({});
  expect((await list(old)).status).toBe(200);
  expect((await send(write, { method: 'POST', headers: { authorization: `Bearer ${old}` } })).status).toBe(403);
  await rollKey(deps, by, key.id, { overlapSeconds: 0 });
  expect((await list(old)).status).toBe(401);

  for (const claims of [{ secret: 'two' }, { secret: null }, { scope: ['clients:read'] }]) {
    expect((await list(await sign({ secret: 2, ...claims }))).body.message, JSON.stringify(claims)).toMatch(
      /^Invalid access token/,
    );
  }
  expect((await list(await sign({ secret: 2 }))).status, 'the control').toBe(200);
  expect((await list(await sign({ secret: 3 }))).status, 'a secret that does not exist').toBe(401);
  expect((await list(await sign({ secret: 2, scope: 'all' }))).status).toBe(403);
  const elsewhere = await aWorkspace(api.store, api.clock, 'b@firm.example');
  expect((await list(await sign({ secret: 2, workspace: elsewhere.workspaceId }))).body.message).toBe(
    'Invalid access token.',
  );
});

test('a key with allowed addresses is exchanged and used only from these', async () => {
  const { api, deps, by, make, list } = await openScene();
  const elsewhere = await make({ allowedNetworks: ['10.0.0.0/8', '2001:db8::/32'] });
  const refused = await api.get(TOKEN_PATH, { 'api-key': elsewhere.secret });
  expect(refused).toMatchObject({
    status: 401,
    body: { message: 'Invalid API key: it may not be used from this address, 127.0.0.1.' },
  });

  const { key, secret } = await make({ allowedNetworks: ['127.0.0.0/8'] });
  const token = await api.token(secret);
  expect((await list(token)).status).toBe(200);
  await updateKey(deps, by, key.id, { allowedNetworks: ['10.0.0.0/8'] });
  expect(await list(token)).toMatchObject({
    status: 401,
    body: { message: 'Invalid access token: not allowed from this address.' },
  });
  await updateKey(deps, by, key.id, { allowedNetworks: [] });
  expect((await list(token)).status).toBe(200);
  const forged = { authorization: `Bearer ${token}`, 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1' };
  await updateKey(deps, by, key.id, { allowedNetworks: ['10.0.0.1'] });
  expect((await api.get(LIST_PATH, forged)).status, 'a claim of the caller').toBe(401);
  const requests = api.log.filter((line) => line.includes('"msg":"request"'));
  expect(requests.join(), 'addresses are personal data').not.toMatch(/127\.0\.0\.1|10\.0\.0\./);
});

test('only the holder of a secret learns that the address is not allowed', async () => {
  const { api, make } = await openScene();
  const { secret } = await make({ allowedNetworks: ['10.0.0.0/8'] });
  const guess = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
  expect((await api.get(TOKEN_PATH, { 'api-key': guess })).body.message).toBe('Invalid API key.');
});

const sharedScene = openOnce(openScene);

test.each([
  ['X-API-Key', (secret: string) => ({ 'X-API-Key': secret })],
  ['apikey', (secret: string) => ({ ApiKey: secret })],
  ['api_key', (secret: string) => ({ api_key: secret })],
  ['Authorization', (secret: string) => ({ authorization: `Bearer ${secret}` })],
  ['Authorization', (secret: string) => ({ authorization: `Basic user:${secret}` })],
])('a caller who sends the key in %s is told which header is meant', async (name, headers) => {
  const { api, secret } = await sharedScene();
  const answer = await api.get(TOKEN_PATH, headers(secret));
  expect(answer).toMatchObject({
    status: 401,
    body: { message: `Invalid API key: send it in the header api-key, not ${name}.`, data: null },
  });
  expect(answer.text).not.toContain(secret);
  expect(await api.get(TOKEN_PATH, { ...headers(secret), 'api-key': secret })).toMatchObject({ status: 200 });
  expect((await api.get(TOKEN_PATH, headers('something else'))).body.message).toBe('Invalid API key.');
});

test('a caller who sends an API key instead of an access token is told to exchange it first', async () => {
  const { api, secret, list } = await openScene();
  const answer = await list(secret);
  expect(answer.status).toBe(401);
  expect(answer.body.message).toBe(
    'Invalid access token: this is an API key. Exchange it for an access token at /api/v1/generate-access-token/ first.',
  );
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="rollcall", error="invalid_token"');
  expect(api.log.join()).not.toContain(secret);
});

test('a limit of its own holds for a key at once, and a limit that is taken away does not', async () => {
  const { api, deps, by, make, list } = await openScene();
  const { key, secret } = await make({ rateLimit: '1/s,2' });
  const token = await api.token(secret);
  const statuses = async (count: number) => {
    const answers = [];
    for (let call = 0; call < count; call++) answers.push((await list(token)).status);
    return answers;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  await updateKey(deps, by, key.id, { rateLimit: '1/s,4' });
  expect(await statuses(3)).toEqual([200, 200, 429]);
  await updateKey(deps, by, key.id, { rateLimit: null });
  expect(await statuses(5)).toEqual(Array(5).fill(200));
});
