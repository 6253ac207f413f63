import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { openStore, type Store } from '../store/open-store.ts';
import { secretSource } from '../store/secret-source.ts';
import { aWorkspace, TEST_PASSWORD, TestClock } from '../testing/builders.ts';
import { allRowsIn, onDatabase } from '../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { rotateSigningKey } from './credentials/manage-signing-keys.ts';
import { SigningKeyRing } from './credentials/signing-keys.ts';
import { isFailure } from './failure.ts';
import { InstallationSecrets } from './installation-secrets.ts';
import { prepareSecret, resetSecret, rotateSecret } from './manage-secret.ts';
import { confirmSecondFactor, offerSecondFactor, removeSecondFactor } from './members/manage-profile.ts';
import { codeAt } from './members/second-factor.ts';
import { actorOf, signIn } from './members/sign-in.ts';
import { retireSigningKey } from './retire-signing-key.ts';
import { InstallationSecret, sealedBy } from './sealed-text.ts';

const EMAIL = 'owner@firm.example';
const ORIGIN = { address: '192.0.2.1', agent: 'test' };

/** A process on a database, with the secrets of its settings. */
async function aProcess(url: string, clock: TestClock, secrets: InstallationSecret[]) {
  return withDeps(await openTestStoreAt(url, { secrets }), clock);
}

function withDeps(store: Store, clock: TestClock) {
  return {
    ...store,
    clock,
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 10, refusal: 'Too many.' }),
  };
}

type Process = Awaited<ReturnType<typeof aProcess>>;

async function ownerOf(process: Process) {
  const member = (await process.credentials.byEmail(EMAIL))[0]?.member;
  if (!member) throw new Error('The owner is missing.');
  return actorOf(member, ORIGIN);
}

async function addSecondFactor(process: Process): Promise<string> {
  const owner = await ownerOf(process);
  const { secret } = await offerSecondFactor(process, owner);
  await confirmSecondFactor(process, { id: 'any', tokenHash: '' }, owner, codeAt(secret, process.clock.now()));
  process.clock.advance(60);
  return secret;
}

async function removeSecondFactorWith(process: Process, seed: string): Promise<void> {
  process.clock.advance(60);
  const code = codeAt(seed, process.clock.now());
  await removeSecondFactor(process, await ownerOf(process), { password: TEST_PASSWORD, code });
}

/** Each code may be used once, so the clock moves on. */
async function signInWith(process: Process, seed: string): Promise<string | undefined> {
  process.clock.advance(60);
  const code = codeAt(seed, process.clock.now());
  const result = await signIn(process, { email: EMAIL, password: TEST_PASSWORD, code }, ORIGIN);
  return result.kind === 'signed-in' ? result.token : undefined;
}

async function anInstallation() {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const [first, next] = [InstallationSecret.generate(), InstallationSecret.generate()];
  const process = await aProcess(url, clock, [first]);
  const { accountId } = await aWorkspace(process, clock, EMAIL);
  const ring = await SigningKeyRing.open(process);
  return { url, clock, first, next, process, ring, accountId };
}

async function sealedIdsIn(url: string): Promise<Set<string | undefined>> {
  const rows = [
    ...(await onDatabase(url, 'select second_factor_secret as text from members')),
    ...(await onDatabase(url, 'select sealed_private_jwk as text from signing_keys')),
  ];
  return new Set(rows.flatMap(({ text }) => (text === null ? [] : [sealedBy(String(text))])));
}

test('a service with another secret does not start, and changes nothing', async () => {
  const { url, clock, first, next } = await anInstallation();
  const before = await allRowsIn(url);
  const other = await aProcess(url, clock, [next]);
  await expect(prepareSecret(other)).rejects.toThrow(
    `were encrypted with another secret (its id is ${first.id}). Provide that secret in ROLLCALL_SECRET, or, if it is lost, run \`rollcall secret reset\`.`,
  );
  await expect(rotateSigningKey(other)).rejects.toThrow(/another secret/);
  await expect(rotateSecret(other)).rejects.toThrow(/another secret/);
  expect(await allRowsIn(url)).toEqual(before);
});

test('a service without any secret is told that it is missing, and changes nothing', async () => {
  const { url, clock, first } = await anInstallation();
  const before = await allRowsIn(url);
  const secrets = new InstallationSecrets(secretSource('postgres://', []));
  const without = { ...(await aProcess(url, clock, [first])), secrets };
  await expect(prepareSecret(without)).rejects.toThrow(
    `is missing (its id is ${first.id}). Provide it in ROLLCALL_SECRET, or, if it is lost, run \`rollcall secret reset\`.`,
  );
  expect(await allRowsIn(url)).toEqual(before);
});

test('without the right secret, a code is refused with the reason and nothing changes; a password alone works', async () => {
  const { url, clock, next, process } = await anInstallation();
  const seed = await addSecondFactor(process);
  const other = await aProcess(url, clock, [next]);
  const before = await allRowsIn(url);
  await expect(signInWith(other, seed)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /^Service temporarily unavailable: second factors cannot be used, .+ Ask the operator/,
    ),
  });
  const withoutCode = { email: EMAIL, password: TEST_PASSWORD };
  expect(await signIn(other, withoutCode, ORIGIN)).toEqual({ kind: 'code-needed' });
  // Only the right password without a code is recorded, in the log and in the end of its chain.
  const recorded = ({ activity_entries, accounts, ...rest }: typeof before) => [activity_entries?.length, rest];
  expect(recorded(await allRowsIn(url))).toEqual([(before.activity_entries?.length ?? 0) + 1, recorded(before)[1]]);
  expect(await signInWith(process, seed), 'not counted as a failed attempt').toEqual(expect.any(String));

  await removeSecondFactorWith(process, seed);
  expect(await signIn(other, withoutCode, ORIGIN)).toMatchObject({ kind: 'signed-in' });
  await expect(offerSecondFactor(other, await ownerOf(other))).rejects.toMatchObject({ code: 'unavailable' });
});

test('a rotation encrypts everything again; tokens and second factors keep working', async () => {
  const { url, clock, first, next, process, ring } = await anInstallation();
  const seed = await addSecondFactor(process);
  const { kid } = ring.current();
  const rotating = await aProcess(url, clock, [first, next]);
  expect(await rotateSecret(rotating)).toEqual({ id: next.id, keptIn: undefined });
  expect(await sealedIdsIn(url)).toEqual(new Set([next.id]));

  const restarted = await aProcess(url, clock, [next]);
  await prepareSecret(restarted);
  expect((await SigningKeyRing.open(restarted)).current()).toMatchObject({ kid, privateKey: expect.anything() });
  expect(await signInWith(restarted, seed)).toEqual(expect.any(String));
  await rotateSecret(rotating);
  expect((await restarted.checkConsistency()).problems, 'running it twice does no harm').toEqual([]);
});

test('a process that knows only the former secret goes on signing, and cannot write with it', async () => {
  const { url, clock, first, next, process, ring } = await anInstallation();
  const { kid } = ring.current();
  await rotateSecret(await aProcess(url, clock, [first, next]));
  await ring.load();
  expect(ring.current().kid).toBe(kid);
  const before = await allRowsIn(url);
  await expect(rotateSigningKey(process)).rejects.toThrow(/another secret/);
  await expect(offerSecondFactor(process, await ownerOf(process))).rejects.toMatchObject({ code: 'unavailable' });
  expect(await allRowsIn(url)).toEqual(before);

  // Two rotations later, the key that signs is one that it has never been able to open.
  const restarted = await aProcess(url, clock, [next]);
  await rotateSigningKey(restarted);
  clock.advance(60);
  await rotateSigningKey(restarted);
  clock.advance(60);
  await ring.load();
  expect(() => ring.current()).toThrow(/^Service temporarily unavailable: access tokens cannot be signed/);
  const signer = (await SigningKeyRing.open(restarted)).current();
  expect(await ring.byKid(signer.kid), 'it still verifies').toBeDefined();
});

test('a process that was given the next secret in time follows a rotation without a restart', async () => {
  const { url, clock, first, next } = await anInstallation();
  const prepared = await aProcess(url, clock, [first, next]);
  await rotateSecret(await aProcess(url, clock, [first, next]));
  const seed = await addSecondFactor(prepared);
  await rotateSigningKey(prepared);
  expect(await sealedIdsIn(url)).toEqual(new Set([next.id]));
  expect(await signInWith(prepared, seed)).toEqual(expect.any(String));
});

test('a value that cannot be opened stops a rotation, and nothing is changed', async () => {
  const { url, clock, first, next } = await anInstallation();
  await onDatabase(
    url,
    `update signing_keys set sealed_private_jwk = replace(sealed_private_jwk, ':1:', ':1:') || 'AA' where signs_from is null`,
  );
  const before = await allRowsIn(url);
  await expect(rotateSecret(await aProcess(url, clock, [first, next]))).rejects.toThrow(
    /^The encrypted text in signing_keys\.sealed_private_jwk of row \S+ is damaged\.$/,
  );
  expect(await allRowsIn(url)).toEqual(before);
});

test('a reset makes new signing keys and removes second factors, on record in every account', async () => {
  const { url, clock, next, process, ring, accountId } = await anInstallation();
  await addSecondFactor(process);
  const other = await aWorkspace(process, clock, 'other@firm.example');
  const former = ring.current().kid;
  const lost = await aProcess(url, clock, [next]);
  expect(await resetSecret(lost)).toEqual({ accounts: 2, secondFactors: 1 });

  await prepareSecret(lost);
  const renewed = await SigningKeyRing.open(lost);
  expect(await renewed.byKid(former)).toBeUndefined();
  expect(renewed.current()).toMatchObject({ privateKey: expect.anything() });
  expect(await sealedIdsIn(url)).toEqual(new Set([next.id]));
  expect(await signIn(lost, { email: EMAIL, password: TEST_PASSWORD }, ORIGIN)).toMatchObject({ kind: 'signed-in' });
  const actions = async (id: number) => {
    const { entries } = await lost.activity.read(id, {}, { offset: 0, limit: 100 });
    return entries.filter(({ member }) => member === 'operator').map(({ action, subject }) => `${action} ${subject}`);
  };
  expect(await actions(accountId)).toEqual(
    expect.arrayContaining(['key.tokens-ended all access tokens', `profile.second-factor-reset ${EMAIL}`]),
  );
  expect(await actions(other.accountId)).toEqual(['key.tokens-ended all access tokens']);
});

test('a reset waits for a change of a member that is being made, without a circle of waiting changes', async () => {
  const { url, clock, next, process, accountId } = await anInstallation();
  await addSecondFactor(process);
  const { memberId, ...actor } = await ownerOf(process);
  const lost = await aProcess(url, clock, [next]);
  let attempts = 0;
  let reset: Promise<unknown> | undefined;
  const counted: Process = {
    ...lost,
    changeInstallation: (context, work) =>
      lost.changeInstallation(context, (change) => {
        attempts++;
        return work(change);
      }),
  };
  await process.changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    attempts++;
    reset ??= resetSecret(counted);
    // Long enough to reach the lock for which it has to wait.
    await sleep(200);
    await change.profiles.setPassword(memberId, '');
    change.record('profile.password-changed', actor.name);
  });
  await reset;
  expect(attempts).toBe(2);
});

test('a database in which nothing is encrypted has nothing to reset', async () => {
  const url = await newDatabase(inject('engine'));
  const process = await aProcess(url, new TestClock(), [InstallationSecret.generate()]);
  await expect(resetSecret(process)).rejects.toMatchObject({ code: 'conflict' });
});

test('of many processes that start at once on a new database, each with its own secret, one wins and the others refuse', async () => {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const processes: Process[] = [];
  for (let each = 0; each < 4; each++) processes.push(await aProcess(url, clock, [InstallationSecret.generate()]));
  const outcomes = await Promise.allSettled(processes.map((each) => prepareSecret(each)));
  const started = processes.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  const id = await processes[0]?.sealed.secretId();
  expect(started.length).toBeGreaterThan(0);
  for (const each of started) expect(each.secrets.byId(id ?? '').id).toBe(id);
  expect(started).toHaveLength(1);
});

test('whatever happens in whatever order, every stored value opens with the secret of the database', async () => {
  const { url, clock, first, process } = await anInstallation();
  const stores: Store[] = [];
  let present = first;
  let former = process;
  let seed: string | undefined;
  const open = async (...secrets: InstallationSecret[]) => {
    const store = openStore(url, { secrets });
    stores.push(store);
    return withDeps(store, clock);
  };
  let current = await open(present);
  /** Refusals are fine, as long as they change nothing that matters here. */
  const attempt = (work: Promise<unknown>) =>
    work.catch((error) => {
      if (!isFailure(error)) throw error;
    });
  const STEPS: Record<string, () => Promise<unknown>> = {
    'rotate the secret': async () => {
      const next = InstallationSecret.generate();
      await rotateSecret(await open(present, next));
      [present, former] = [next, current];
      current = await open(next);
    },
    'reset the secret': async () => {
      const next = InstallationSecret.generate();
      await resetSecret(await open(next));
      [present, former, seed] = [next, current, undefined];
      current = await open(next);
    },
    'rotate the signing key': () => rotateSigningKey(current),
    'rotate the signing key with the former secret': () => attempt(rotateSigningKey(former)),
    'retire the next signing key': async () => {
      const keys = await current.signingKeys.all();
      await attempt(retireSigningKey(current, keys.at(-1)?.kid ?? ''));
    },
    'add a second factor': async () => {
      if (seed === undefined) seed = await addSecondFactor(current);
    },
    'offer a second factor with the former secret': async () =>
      attempt(offerSecondFactor(former, await ownerOf(former))),
    'remove the second factor': async () => {
      if (seed !== undefined) await removeSecondFactorWith(current, seed);
      seed = undefined;
    },
    wait: async () => clock.advance(20),
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 8 }), async (steps) => {
        for (const step of steps) await STEPS[step]?.();
        const fresh = await open(present);
        await prepareSecret(fresh);
        const ring = await SigningKeyRing.open(fresh);
        expect(ring.current().privateKey).toBeDefined();
        expect([...(await sealedIdsIn(url))]).toEqual([present.id]);
        expect((await fresh.signingKeys.all()).filter(({ signsFrom }) => signsFrom === null)).toHaveLength(1);
        if (seed !== undefined) expect(await signInWith(fresh, seed)).toEqual(expect.any(String));
      }),
      { numRuns: 12 },
    );
  } finally {
    for (const store of stores) await store.close();
  }
});
