import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openOnce, whenFinished } from '../packages/server/src/testing/when-finished.ts';
import { exchange, list } from './api.ts';
import { ConsoleSession } from './console-session.ts';
import { childrenOf, freeze, holderOf, isAnsweredBy, openFilesOf, standbyOf, workersOf } from './processes.ts';
import { NO_RATE_LIMITS, Program, type RegisterCleanUp } from './program.ts';
import { createTestAccount, OWNER, PASSWORD } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];

async function serveByTwo(onFinished: RegisterCleanUp = onTestFinished) {
  const program = new Program({ ROLLCALL_WORKERS: '2', ...NO_RATE_LIMITS }, onFinished);
  const { key } = await createTestAccount(program);
  const service = await program.serve();
  const { data } = await exchange(service.production, key.api_key);
  return { program, service, token: data.access_token as string };
}

/** For tests that stop no process and use keys of their own. */
const sharedService = openOnce(() => serveByTwo(whenFinished));

const KEYS = '/console/production/keys';

/** Opens enough connections that both workers get some. */
const askOften = (address: string, token: string) =>
  Promise.all(Array.from({ length: 12 }, () => list(address, token)));

test('two workers share the addresses, and neither returns an outdated page after a change', async () => {
  const { program, service, token } = await sharedService();
  for (let round = 1; round <= 5; round++) {
    await askOften(service.production, token);
    const client = ['--email', `c${round}@mail.example`, '--name', 'C', '--group', 'G'];
    await program.json(['client', 'add', ...client, ...WHERE]);
    for (const { data } of await askOften(service.production, token)) expect(data.total_count).toBe(round);
  }
});

test('a revoked key is refused by every worker within a second', async () => {
  const { program, service } = await sharedService();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  const { keyId, token } = await keyInUse(session, service.production);
  await program.json(['key', 'revoke', keyId]);
  const statuses = async () => new Set((await askOften(service.production, token)).map(({ status }) => status));
  await expect.poll(statuses, { timeout: 1000 + 10_000 }).toEqual(new Set([401]));
});

/** Creates a key in the dashboard and exchanges it for tokens, which work in every worker. */
async function keyInUse(session: ConsoleSession, address: string) {
  const { data } = await session.send('POST', KEYS, { name: 'short-lived' });
  const tokens: string[] = [];
  for (let each = 0; each < 8; each++) {
    tokens.push((await exchange(address, String(data?.api_key))).data.access_token);
  }
  const statuses = async () => (await Promise.all(tokens.map((token) => list(address, token)))).map((a) => a.status);
  expect(new Set(await statuses())).toEqual(new Set([200]));
  const keyId = String(data?.key_id);
  return { keyId, path: `${KEYS}/${keyId}`, token: tokens[0] ?? '', statuses };
}

test('a key that is revoked in the dashboard is refused by every worker as soon as the request is answered', async () => {
  const { service } = await sharedService();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  for (let round = 0; round < 20; round++) {
    const { path, statuses } = await keyInUse(session, service.production);
    expect(await session.send('DELETE', path)).toMatchObject({ status: 200 });
    expect(new Set(await statuses())).toEqual(new Set([401]));
  }
});

test('a secret that is replaced at once, or ended, and an address that is not allowed any more are refused by every worker as soon as the request is answered', async () => {
  const { service } = await sharedService();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  const refused = new Set([401]);
  for (let round = 0; round < 8; round++) {
    const replaced = await keyInUse(session, service.production);
    expect(await session.send('POST', `${replaced.path}/roll`, { overlap_seconds: 0 })).toMatchObject({ status: 200 });
    expect(new Set(await replaced.statuses())).toEqual(refused);

    const ended = await keyInUse(session, service.production);
    await session.send('POST', `${ended.path}/roll`, { overlap_seconds: 3600 });
    expect(new Set(await ended.statuses())).toEqual(new Set([200]));
    expect(await session.send('DELETE', `${ended.path}/secrets/1`)).toMatchObject({ status: 200 });
    expect(new Set(await ended.statuses())).toEqual(refused);

    const moved = await keyInUse(session, service.production);
    await session.send('PATCH', moved.path, { allowed_networks: ['10.0.0.0/8'] });
    expect(new Set(await moved.statuses())).toEqual(refused);
    await session.send('PATCH', moved.path, { allowed_networks: ['127.0.0.1', '::1'] });
    expect(new Set(await moved.statuses())).toEqual(new Set([200]));
  }
});

test('a worker that cannot confirm a revocation is replaced before the revocation is answered', async () => {
  const { service } = await serveByTwo();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  const { path, statuses } = await keyInUse(session, service.production);
  const workers = workersOf(service.process.pid ?? 0);
  let asked: number | undefined;
  // On a busy machine, the connection may have been idle for so long that it was closed, and the list of connections may be
  // incomplete when many others are opened while it is read.
  const findAsked = async () => {
    await session.send('GET', KEYS);
    asked = holderOf(session.port, workers);
    return asked;
  };
  await expect.poll(findAsked).toBeDefined();
  const frozen = workers.find((pid) => pid !== asked) ?? 0;
  freeze(frozen);

  const startedAt = performance.now();
  expect(await session.send('DELETE', path)).toMatchObject({ status: 200 });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(service.log()).toMatch(`worker ${frozen} did not confirm a change to an API key within a second`);
  expect(childrenOf(service.process.pid ?? 0)).not.toContain(frozen);
  expect(new Set(await statuses())).toEqual(new Set([401]));
  await standbyOf(service.process.pid ?? 0);
  expect(await service.stop()).toBe(0);
});

test('a worker that is killed is replaced by the standby process, which knows of every change that was made before', async () => {
  const { program, service } = await serveByTwo();
  const session = await ConsoleSession.signIn(service.dashboard, OWNER, PASSWORD);
  const { path, statuses } = await keyInUse(session, service.production);
  const primary = service.process.pid ?? 0;
  const standby = await standbyOf(primary);
  const [killed = 0, other] = workersOf(primary);

  // It accepts no tokens, so nobody waits until it knows of the change.
  freeze(standby);
  expect(await session.send('DELETE', path)).toMatchObject({ status: 200 });
  expect(service.log()).not.toContain('did not confirm');
  const folder = dirname(program.databaseUrl.replace('sqlite:', ''));
  expect(openFilesOf(standby).filter((file) => file.startsWith(folder))).toEqual([]);
  process.kill(standby, 'SIGCONT');

  process.kill(killed, 'SIGKILL');
  await expect.poll(() => isAnsweredBy(service.production, [standby])).toBe(true);
  expect(service.log()).toContain(`worker ${killed} exited with SIGKILL; starting another one`);
  expect(workersOf(primary)).toEqual([other, standby]);
  expect(new Set(await statuses())).toEqual(new Set([401]));

  const next = await standbyOf(primary);
  process.kill(next, 'SIGKILL');
  await expect.poll(service.log).toContain(`standby process ${next} exited with SIGKILL; starting another one`);
  expect(await standbyOf(primary)).not.toBe(next);
  expect(await service.stop()).toBe(0);
});
