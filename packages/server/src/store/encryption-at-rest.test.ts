import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { importJWK, SignJWT } from 'jose';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createKey } from '../domain/credentials/manage-keys.ts';
import { removeEndedSigningKeys } from '../domain/credentials/manage-signing-keys.ts';
import { SigningKeyRing } from '../domain/credentials/signing-keys.ts';
import { prepareSecret } from '../domain/manage-secret.ts';
import { confirmSecondFactor, offerSecondFactor } from '../domain/members/manage-profile.ts';
import { codeAt } from '../domain/members/second-factor.ts';
import { actorOf } from '../domain/members/sign-in.ts';
import { startService } from '../service.ts';
import { aDatabaseBeforeEncryption } from '../testing/before-encryption.ts';
import { aWorkspace, TEST_PASSWORD, TESTER, TestClock } from '../testing/builders.ts';
import { allRowsIn, onDatabase } from '../testing/raw-database.ts';
import { LIST_PATH, openTestApi } from '../testing/test-api.ts';
import { openTestConsole } from '../testing/test-console.ts';
import { TEST_SECRET } from '../testing/test-secret.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { openStore, type Store } from './open-store.ts';

const clock = { now: () => Date.now() };
const SEALED_TABLES = ['members', 'signing_keys'];

/** Everything that a thief of the database gets: the files of SQLite, or all rows and the files of the tables of PostgreSQL. */
async function stolen(url: string): Promise<Buffer> {
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length);
    const parts = ['', '-wal', '-shm'].map((part) => file + part).filter((part) => existsSync(part));
    return Buffer.concat(parts.map((part) => readFileSync(part)));
  }
  await onDatabase(url, 'checkpoint');
  const parts = [Buffer.from(JSON.stringify(await allRowsIn(url).catch(() => ({}))))];
  for (const table of SEALED_TABLES) {
    const toast = `select reltoastrelid from pg_class where oid = '${table}'::regclass`;
    const [row] = await onDatabase(
      url,
      `select pg_read_binary_file(pg_relation_filepath('${table}')) as main,
       pg_read_binary_file(pg_relation_filepath((${toast})::regclass)) as toast`,
    );
    parts.push(Buffer.from(row?.main as Uint8Array), Buffer.from(row?.toast as Uint8Array));
  }
  return Buffer.concat(parts);
}

/** All texts that could be 32 bytes in base64url or hex, wherever they begin in a longer text. */
function keysIn(bytes: Buffer): Set<string> {
  const found = new Set<string>();
  for (const [run] of bytes.toString('latin1').matchAll(/[A-Za-z0-9_-]{43,}/g)) {
    for (let start = 0; start + 43 <= run.length; start++) found.add(run.slice(start, start + 43));
    for (let start = 0; start + 64 <= run.length; start++) {
      const hex = run.slice(start, start + 64);
      if (/^[0-9a-f]{64}$/i.test(hex)) found.add(Buffer.from(hex, 'hex').toString('base64url'));
    }
  }
  return found;
}

/** The public keys to which a private key is among the bytes. */
function forgeable(bytes: Buffer, publicKeys: readonly string[]): string[] {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const owned = new Set<unknown>();
  for (const d of keysIn(bytes)) {
    const der = Buffer.concat([prefix, Buffer.from(d, 'base64url')]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    owned.add(createPublicKey(key).export({ format: 'jwk' }).x);
  }
  return publicKeys.filter((x) => owned.has(x));
}

function seedsIn(bytes: Buffer): string[] {
  return [...bytes.toString('latin1').matchAll(/(?=([A-Z2-7]{32}))/g)].map(([, seed]) => seed ?? '');
}

function contains(bytes: Buffer, secret: Buffer | string): boolean {
  const raw = Buffer.from(secret);
  const forms = [raw, raw.toString('hex'), raw.toString('hex').toUpperCase(), raw.toString('base64url')];
  return forms.some((form) => bytes.includes(form));
}

async function start(url: string, store: Store) {
  const service = await startService(
    readConfig({ ROLLCALL_DATABASE_URL: url, ROLLCALL_PRODUCTION_PORT: '0', ROLLCALL_LOG_LEVEL: 'silent' }),
    store,
    ['production'],
  );
  onTestFinished(() => service.stop());
  return service;
}

async function publishedBy(store: Store): Promise<string[]> {
  const ring = await SigningKeyRing.open({ ...store, clock });
  return ring.published().map(({ x }) => x);
}

/** Adds a second factor to a member, and returns its seed. */
async function addSecondFactor(store: Store, email: string): Promise<string> {
  const deps = { ...store, clock, concurrencyLimit: undefined as never };
  const member = (await store.credentials.byEmail(email))[0]?.member;
  if (!member) throw new Error('The member is missing.');
  const actor = actorOf(member, { address: '192.0.2.1' });
  const { secret } = await offerSecondFactor(deps, actor);
  await confirmSecondFactor(deps, { id: 'any', tokenHash: '' }, actor, codeAt(secret, clock.now()));
  return secret;
}

test('a stolen copy of a new installation forges no token and reveals no second factor', async () => {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  await start(url, store);
  await aWorkspace(store, clock, 'a@firm.example');
  const seed = await addSecondFactor(store, 'a@firm.example');
  const keys = await publishedBy(store);
  expect(keys).toHaveLength(2);

  const bytes = await stolen(url);
  expect(bytes.includes(keys[0] ?? 'x'), 'the public parts are found').toBe(true);
  expect(keysIn(bytes).size).toBeGreaterThan(100);
  expect(forgeable(bytes, keys)).toEqual([]);
  expect(bytes.includes('"d"')).toBe(false);
  expect(seedsIn(bytes)).not.toContain(seed);
  expect(contains(bytes, seed)).toBe(false);
});

test('a stolen copy of an upgraded installation forges no token and reveals no second factor', async () => {
  const { url, clear } = await aDatabaseBeforeEncryption();
  const privateKey = Buffer.from(clear.jwk.d ?? '', 'base64url');
  const before = await stolen(url);
  expect(forgeable(before, [clear.jwk.x ?? '']), 'the control').toEqual([clear.jwk.x]);
  expect(seedsIn(before), 'the control').toContain(clear.seed);

  const store = await openTestStoreAt(url);
  await start(url, store);
  const bytes = await stolen(url);
  const keys = await publishedBy(store);
  expect(keys).toHaveLength(3);
  expect(forgeable(bytes, keys)).toEqual([]);
  expect(contains(bytes, privateKey)).toBe(false);
  expect(bytes.includes('"d"')).toBe(false);
  expect(seedsIn(bytes)).not.toContain(clear.seed);
  expect(contains(bytes, clear.seed)).toBe(false);
});

test.each([
  ['the migration', async () => {}],
  ['the encryption', (store: Store) => prepareSecret({ ...store, clock })],
])('an upgrade that was interrupted after %s is completed by the next start', async (_step, step) => {
  const { url, clear } = await aDatabaseBeforeEncryption();
  const first = openStore(url, { secrets: [TEST_SECRET] });
  await first.migrate();
  await step(first);
  await first.close();
  const store = await openTestStoreAt(url);
  await start(url, store);
  const bytes = await stolen(url);
  expect(contains(bytes, clear.seed)).toBe(false);
  expect(contains(bytes, Buffer.from(clear.jwk.d ?? '', 'base64url'))).toBe(false);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test.runIf(inject('engine') === 'postgres')(
  'while another transaction still sees the clear text, it is not noted as removed, and a later start removes it',
  async () => {
    const { url, clear } = await aDatabaseBeforeEncryption();
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    // Without a lock on a table, for which a migration would wait.
    await reader.query('select 1');
    const store = await openTestStoreAt(url);
    await prepareSecret({ ...store, clock });
    await expect(store.sealed.removeRemains()).rejects.toThrow('another transaction has been reading the database');
    expect(contains(await stolen(url), clear.seed), 'the control').toBe(true);

    await reader.end();
    await store.sealed.removeRemains();
    expect(contains(await stolen(url), clear.seed)).toBe(false);
  },
);

test.runIf(inject('engine') === 'postgres')(
  'a transaction that is open in another database of the server does not keep the clear text',
  async () => {
    const elsewhere = new Client({ connectionString: await newDatabase('postgres') });
    await elsewhere.connect();
    onTestFinished(() => elsewhere.end());
    await elsewhere.query('begin');
    await elsewhere.query('select pg_current_xact_id()');
    const { url, clear } = await aDatabaseBeforeEncryption();
    const store = await openTestStoreAt(url);
    await prepareSecret({ ...store, clock });
    await store.sealed.removeRemains();
    expect(contains(await stolen(url), clear.seed)).toBe(false);
    expect((await store.checkConsistency()).problems).toEqual([]);
  },
);

test('after the upgrade, tokens stay valid until they expire, and codes of the second factor work', async () => {
  const { url, clear, workspaceId, email } = await aDatabaseBeforeEncryption();
  const api = await openTestApi(await openTestStoreAt(url), { clock: new TestClock(Date.now()) });
  const { key } = await createKey(
    { ...api.store, clock: api.clock },
    { workspaceId, actor: TESTER },
    { environment: 'production', name: 'old' },
  );
  const sign = async (signer: CryptoKey) =>
    new SignJWT({ workspace: workspaceId })
      .setProtectedHeader({ alg: 'Ed25519', typ: 'at+jwt', kid: clear.kid })
      .setIssuer('rollcall')
      .setAudience('production')
      .setSubject(key.id)
      .setIssuedAt(Math.floor(api.clock.now() / 1000))
      // Longer than the service ever issues a token for, as somebody with an old backup might.
      .setExpirationTime(Math.floor(api.clock.now() / 1000) + 30 * 86_400)
      .sign(signer);
  const authorization = `Bearer ${await sign((await importJWK(clear.jwk, 'Ed25519')) as CryptoKey)}`;
  const status = async () => (await api.get(LIST_PATH, { authorization })).status;
  expect(await status()).toBe(200);
  expect(api.signingKeys.current().kid).not.toBe(clear.kid);

  const { browser, clock: consoleClock } = await openTestConsole({ api });
  const code = codeAt(clear.seed, consoleClock.now());
  expect(await browser().signIn(email, TEST_PASSWORD, code)).toMatchObject({ status: 200 });

  api.clock.advance(86_400);
  await removeEndedSigningKeys({ ...api.store, clock: api.clock });
  await api.signingKeys.load();
  expect(await status(), 'a token of a day may still live').toBe(200);
  api.clock.advance(180);
  await removeEndedSigningKeys({ ...api.store, clock: api.clock });
  await api.signingKeys.load();
  expect(await status(), 'the clear key is retired').toBe(401);
});
