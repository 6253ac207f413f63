import { CompactSign, generateKeyPair } from 'jose';
import { expect, inject, test } from 'vitest';
import { importRows } from '../../domain/clients/import-clients.ts';
import { addClient, correctClient, eraseClient } from '../../domain/clients/manage-clients.ts';
import { createGroup } from '../../domain/clients/manage-groups.ts';
import { removeEndedSigningKeys, rotateSigningKey } from '../../domain/credentials/manage-signing-keys.ts';
import { ownKeysOf, SigningKeyRing } from '../../domain/credentials/signing-keys.ts';
import { resetSecret } from '../../domain/manage-secret.ts';
import { type ChainEnd, hashOfEntry, type LinkedFields } from '../../domain/members/activity-chain.ts';
import { signCutsAgain } from '../../domain/members/activity-cut.ts';
import { exportActivity, verifyExport } from '../../domain/members/activity-record.ts';
import { signCheckpoint } from '../../domain/members/checkpoint.ts';
import { cutActivity } from '../../domain/members/cut-activity.ts';
import { problemText, verifyActivity } from '../../domain/members/verify-activity.ts';
import { retireSigningKey } from '../../domain/retire-signing-key.ts';
import { InstallationSecret } from '../../domain/sealed-text.ts';
import { aClient, aWorkspace, ORIGIN, TESTER, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

const DAY_SECONDS = 86_400;

/** A workspace with a key and three groups from each of three days, of which the last is today. */
async function openScene() {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const store = await openTestStoreAt(url);
  const deps = { ...store, clock };
  const ring = await SigningKeyRing.open(deps);
  const cutDeps = deps;
  const { workspaceId, accountId } = await aWorkspace(store, clock, 'a@firm.example');
  const by = { workspaceId, actor: TESTER };
  for (let day = 1; day <= 3; day++) {
    if (day > 1) clock.advance(DAY_SECONDS);
    for (const name of ['a', 'b', 'c']) await createGroup(deps, by, `${day}${name}`);
  }
  const chain = `workspace:${workspaceId}` as const;
  const verify = async (signed?: ChainEnd[]) => {
    const knownKeys = ownKeysOf(store.secrets, await store.signingKeys.all());
    return store.activityChains.inSnapshot((chains) => verifyActivity(chains, { knownKeys, signed }));
  };
  const problems = async (signed?: ChainEnd[]) => (await verify(signed)).problems.map(problemText);
  const ends = () => store.activityChains.inSnapshot((read) => read.ends());
  const subjects = async () => {
    const { entries } = await store.activity.read(accountId, {}, { offset: 0, limit: 100 });
    return entries.map(({ subject }) => subject);
  };
  const exported = () =>
    store.activityChains.inSnapshot(async (read) => {
      const lines: string[] = [];
      for await (const record of exportActivity(read, await read.ends())) lines.push(JSON.stringify(record));
      return lines;
    });
  return {
    ...{ url, store, deps, ring, cutDeps, by, clock, chain, accountId },
    ...{ verify, problems, ends, subjects, exported },
  };
}

async function* lines(of: string[]): AsyncGenerator<string> {
  yield* of;
}

test('entries of the days before are removed at a signed cut, and the rest is complete and says so', async () => {
  const { store, deps, by, cutDeps, chain, verify, problems, subjects } = await openScene();
  expect(await verify()).toMatchObject({ problems: [], removed: [] });
  expect(await cutActivity(cutDeps, 1)).toMatchObject({ problems: [] });
  expect(await subjects()).toEqual(['3c', '3b', '3a', '2c', '2b', '2a']);
  expect(await problems()).toEqual([]);
  const { removed } = await verify();
  expect(removed.find((each) => each.chain === chain)).toMatchObject({ count: 4 });
  expect((await store.checkConsistency()).problems).toEqual([]);
  const [last] = await store.activityChains.inSnapshot(async (read) =>
    (await Array.fromAsync(read.entries('installation'))).slice(-1),
  );
  expect(last).toMatchObject({
    action: 'installation.activity-cut',
    subject: expect.stringMatching(/^\d+ entries before 2026-02-01$/),
    member: 'operator',
  });

  expect(await cutActivity(cutDeps, 1), 'again').toEqual({ removed: 0, problems: [] });
  await createGroup(deps, by, 'later');
  expect(await subjects()).toEqual(['later', '3c', '3b', '3a', '2c', '2b', '2a']);
  expect(await cutActivity(cutDeps, 0)).toMatchObject({ removed: 3, problems: [] });
  expect(await subjects(), 'today is always kept').toEqual(['later', '3c', '3b', '3a']);
  expect(await problems()).toEqual([]);
});

test('a chain of which nothing is left goes on where it ended', async () => {
  const { deps, by, cutDeps, clock, problems, subjects } = await openScene();
  clock.advance(DAY_SECONDS);
  await cutActivity(cutDeps, 0);
  expect(await subjects()).toEqual([]);
  expect(await problems()).toEqual([]);
  await createGroup(deps, by, 'first again');
  expect(await subjects()).toEqual(['first again']);
  expect(await problems()).toEqual([]);
});

test('an export and a checkpoint fit together, whether the checkpoint was made before the cut or after it', async () => {
  const { cutDeps, ring, chain, ends, exported, problems } = await openScene();
  const against = async (signed: ChainEnd[]) => ({ knownKeys: ring.published(), signed });
  const [early] = [await ends()];
  await cutActivity(cutDeps, 1);
  const onlyFirst = early.map((end) =>
    end.chain === chain ? { ...end, count: 2, hash: 'of an entry that is gone', lastAt: undefined } : end,
  );
  for (const signed of [early, await ends(), onlyFirst]) {
    expect(await problems(signed)).toEqual([]);
    expect(await verifyExport(lines(await exported()), await against(signed))).toMatchObject({
      problems: [],
      absent: [],
    });
  }
  const wrong = early.map((end) =>
    end.chain === chain ? { ...end, count: 4, hash: 'of another entry', lastAt: undefined } : end,
  );
  const found = [expect.stringContaining('entry 4 differs from the signed checkpoint')];
  expect(await problems(wrong)).toEqual(found);
  const inExport = await verifyExport(lines(await exported()), await against(wrong));
  expect(inExport.problems.map(problemText)).toEqual(found);

  const withoutCut = (await exported()).filter((line) => !line.includes('removed_up_to'));
  const { problems: missing } = await verifyExport(lines(withoutCut), await against(early));
  expect(missing.map(problemText)).toContainEqual(expect.stringContaining('entry 1 and all up to 4 are missing'));
  const unknown = await verifyExport(lines(await exported()), { knownKeys: [], signed: early });
  expect(unknown.problems.map(problemText).join()).toContain('which this installation does not have');
});

test('details that an erased client has lost cause no alarm after a cut', async () => {
  const { deps, by, cutDeps, clock, problems } = await openScene();
  const { client } = await addClient(deps, by, {
    email: 'a@mail.example',
    name: 'Ann',
    type: 'individual',
    groupName: '3a',
  });
  await correctClient(deps, by, client.referenceId, { name: 'Anna' });
  clock.advance(DAY_SECONDS);
  await eraseClient(deps, by, client.referenceId);
  await cutActivity(cutDeps, 1);
  expect(await problems()).toEqual([]);
  await cutActivity(cutDeps, 0);
  expect(await problems()).toEqual([]);
});

test('the parts of an import that are shown as one entry stay together', async () => {
  const { store, deps, by, cutDeps, clock, accountId, problems } = await openScene();
  const row = () => ({ line: 1, ...aClient() });
  await importRows(deps, by, [row(), row()], ORIGIN);
  clock.advance(DAY_SECONDS);
  await createGroup(deps, by, 'by a clock that was ahead');
  clock.advance(-DAY_SECONDS + 1);
  await importRows(deps, by, [row(), row(), row()], ORIGIN);
  clock.advance(DAY_SECONDS);

  await cutActivity(cutDeps, 0);
  const { entries } = await store.activity.read(accountId, { kind: 'client' }, { offset: 0, limit: 10 });
  expect(entries.map(({ clients }) => clients)).toEqual([5]);
  expect(await problems()).toEqual([]);
  clock.advance(DAY_SECONDS);
  await cutActivity(cutDeps, 0);
  expect((await store.activity.read(accountId, {}, { offset: 0, limit: 10 })).totalCount).toBe(0);
});

test('very many entries are removed in several steps, each on record, and a stop comes between two', async () => {
  const { store, by, cutDeps, clock, accountId, problems } = await openScene();
  const at = clock.now();
  await store.changeAccount({ accountId, actor: by.actor, at }, async (change) => {
    for (let number = 0; number < 4500; number++) change.record('denial.role', `${number}`);
  });
  clock.advance(DAY_SECONDS);
  const stopping = new AbortController();
  const stopAfterOne = {
    ...cutDeps,
    changeInstallation: (async (context, work) => {
      const result = await cutDeps.changeInstallation(context, work);
      stopping.abort();
      return result;
    }) as typeof cutDeps.changeInstallation,
  };
  await cutActivity(stopAfterOne, 0, stopping.signal);
  const { totalCount } = await store.activity.read(accountId, {}, { offset: 0, limit: 1 });
  expect(totalCount).toBeGreaterThan(2000);
  expect(await problems()).toEqual([]);
  await cutActivity(cutDeps, 0);
  expect(await store.activity.read(accountId, {}, { offset: 0, limit: 1 })).toMatchObject({ totalCount: 0 });
  expect(await problems()).toEqual([]);
  const inInstallation = await store.activityChains.inSnapshot((read) => Array.fromAsync(read.entries('installation')));
  expect(inInstallation.filter(({ action }) => action === 'installation.activity-cut').length).toBeGreaterThan(2);
});

test('two processes that cut while entries are added and a client is erased leave a complete log', async () => {
  const { url, deps, by, cutDeps, clock, problems, subjects } = await openScene();
  const references: string[] = [];
  for (let number = 0; number < 10; number++) {
    const { client } = await addClient(deps, by, {
      email: `${number}@mail.example`,
      name: 'Ann',
      type: 'individual',
      groupName: '3a',
    });
    await correctClient(deps, by, client.referenceId, { name: 'Anna' });
    references.push(client.referenceId);
  }
  clock.advance(DAY_SECONDS);
  const other = { ...(await openTestStoreAt(url)), clock };
  const erasures = references.map((reference) => eraseClient(deps, by, reference));
  await Promise.all([cutActivity(cutDeps, 0), cutActivity(other, 0), cutActivity(cutDeps, 1), ...erasures]);
  expect(await problems()).toEqual([]);
  expect((await subjects()).toSorted()).toEqual(references.toSorted());
});

test('entries that were tampered with are not removed, and are reported', async () => {
  const { url, cutDeps, chain, problems, subjects } = await openScene();
  await onDatabase(url, `update activity_entries set subject = 'changed' where chain = '${chain}' and number = 3`);
  expect((await cutActivity(cutDeps, 1)).problems).toEqual([
    `${chain}: entry 3 was changed, or replaced by another one`,
  ]);
  expect(await subjects()).toContain('changed');
  expect(await problems()).toEqual([expect.stringContaining('entry 3 was changed')]);
});

/** What somebody does who can write to the database and wants entries to disappear. */
const FORGERIES: [string, (scene: Awaited<ReturnType<typeof openScene>>) => Promise<void>, RegExp[]][] = [
  [
    'says that more were removed',
    async ({ url, chain }) => {
      await onDatabase(url, `delete from activity_entries where chain = '${chain}' and number <= 6`);
      await onDatabase(url, `update activity_cuts set count = 6 where chain = '${chain}'`);
    },
    [
      /entry 6 and all before it were removed without a valid signature: It belongs to another cut/,
      /entry 7 was changed/,
    ],
  ],
  [
    'removes more',
    async ({ url, chain }) => {
      await onDatabase(url, `delete from activity_entries where chain = '${chain}' and number <= 6`);
    },
    [/entry 5 and all up to 6 are missing/],
  ],
  [
    'removes the cut',
    async ({ url, chain }) => {
      await onDatabase(url, `delete from activity_cuts where chain = '${chain}'`);
    },
    [/entry 1 and all up to 4 are missing/],
  ],
  [
    'uses a checkpoint as a cut',
    async (scene) => {
      const chains = (await scene.ends()).filter(({ chain }) => chain === scene.chain);
      const signed = await signCheckpoint({ signingKeys: scene.ring }, { madeAt: 1, before: 2, chains });
      await forgeCut(scene, JSON.stringify(signed), scene.ring.current().kid);
    },
    [/entry 10 and all before it were removed without a valid signature: .* another purpose/],
  ],
  [
    'signs a cut with a key that the installation does not have',
    async (scene) => forgeCut(scene, (await ownSignature(scene)).signed, 'mine'),
    [/entry 10 and all before it were removed without a valid signature: .* does not have/],
  ],
  [
    'also adds that key to those of the installation',
    async (scene) => {
      const { signed, publicJwk } = await ownSignature(scene);
      await onDatabase(
        scene.url,
        `insert into signing_keys (kid, public_jwk, sealed_private_jwk, created_at, signs_from)
          values ('mine', '${publicJwk}', null, 1, 1)`,
      );
      await forgeCut(scene, signed, 'mine');
    },
    [/entry 10 and all before it were removed without a valid signature: .* does not have/],
  ],
];

/** A cut behind the last entry, signed with a key of somebody else. */
async function ownSignature({ ends, chain }: Awaited<ReturnType<typeof openScene>>) {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519', { extractable: true });
  const { x = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  const [end] = (await ends()).filter((each) => each.chain === chain);
  const content = { madeAt: 1, before: 2, chains: [{ chain, count: end?.count, hash: end?.hash }] };
  const checkpoint = await new CompactSign(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'Ed25519', typ: 'rollcall-cut', kid: 'mine' })
    .sign(privateKey);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  return { signed: JSON.stringify({ checkpoint, key: { kid: 'mine', ...jwk } }), publicJwk: JSON.stringify(jwk) };
}

async function forgeCut(
  { url, chain, ends }: Awaited<ReturnType<typeof openScene>>,
  signed: string,
  kid: string,
): Promise<void> {
  const end = (await ends()).find((each) => each.chain === chain);
  await onDatabase(url, `delete from activity_entries where chain = '${chain}'`);
  const [count, hash] = [end?.count, end?.hash];
  await onDatabase(
    url,
    `update activity_cuts set count = ${count}, hash = '${hash}', signed = '${signed}', kid = '${kid}' where chain = '${chain}'`,
  );
}

test.each(FORGERIES)('somebody who %s is found out, and nothing more is removed', async (_what, forge, expected) => {
  const scene = await openScene();
  await cutActivity(scene.cutDeps, 1);
  await forge(scene);
  const found = await scene.problems();
  expect(found).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(found[index]).toMatch(pattern);
  scene.clock.advance(DAY_SECONDS);
  await createGroup(scene.deps, scene.by, 'later');
  scene.clock.advance(DAY_SECONDS);
  expect((await cutActivity(scene.cutDeps, 0)).problems.length).toBeGreaterThan(0);
  expect(await scene.subjects()).toContain('later');
  await signCutsAgain(scene.cutDeps, 'another');
  expect((await scene.problems()).length).toBeGreaterThan(0);
});

test('a cut is signed again before its key is deleted or retired, and when the secret was lost', async () => {
  const { url, store, deps, cutDeps, ring, clock, problems } = await openScene();
  await cutActivity(cutDeps, 1);
  const { kid: former } = ring.current();
  await rotateSigningKey(deps);
  clock.advance(2 * DAY_SECONDS);
  await ring.load();
  await signCutsAgain(cutDeps, ring.current().kid);
  await removeEndedSigningKeys(deps);
  expect((await store.signingKeys.all()).map(({ kid }) => kid)).not.toContain(former);
  expect(await problems()).toEqual([]);
  expect(await store.activityCuts.signedByOthers(ring.current().kid, '', 10)).toEqual([]);

  const { kid: leaked } = ring.current();
  await rotateSigningKey(deps);
  clock.advance(11);
  await retireSigningKey(deps, leaked);
  expect(await problems()).toEqual([]);

  const later = await openTestStoreAt(url, { secrets: [InstallationSecret.generate()] });
  await resetSecret({ ...later, clock });
  const knownKeys = ownKeysOf(later.secrets, await later.signingKeys.all());
  const { problems: found } = await later.activityChains.inSnapshot((chains) => verifyActivity(chains, { knownKeys }));
  expect(found).toEqual([]);
});

test('entries that were dated back are not removed unnoticed: a checkpoint knows how new they were', async () => {
  const { url, cutDeps, chain, ends, problems, exported, ring } = await openScene();
  const signed = await ends();
  await rewrite(url, chain, (at) => at - 100 * DAY_SECONDS * 1000);
  await cutActivity(cutDeps, 30);
  expect(await problems()).toEqual([]);
  const found = [
    expect.stringContaining('entry 10 is in the signed checkpoint, and was removed although it was not old'),
  ];
  expect((await problems(signed)).slice(-1)).toEqual(found);
  const { problems: inExport } = await verifyExport(lines(await exported()), { knownKeys: ring.published(), signed });
  expect(inExport.map(problemText).slice(-1)).toEqual(found);
});

/** Changes the times of all entries of a chain and computes its hashes again, as somebody could who can write to the database. */
async function rewrite(url: string, chain: string, newTime: (at: number) => number): Promise<void> {
  const rows = await onDatabase(url, `select * from activity_entries where chain = '${chain}' order by number`);
  let previous = '';
  for (const row of rows) {
    const number = Number(row.number);
    const at = newTime(Number(row.at));
    const fields = { ...row, at, clients: null, partOf: row.part_of, requestId: row.request_id };
    previous = hashOfEntry({ chain, number, previous }, {
      ...fields,
      detailsHash: row.details_hash,
    } as unknown as LinkedFields);
    await onDatabase(
      url,
      `update activity_entries set at = ${at}, hash = '${previous}' where chain = '${chain}' and number = ${number}`,
    );
  }
  const [, id] = chain.split(':');
  await onDatabase(url, `update workspaces set activity_hash = '${previous}' where id = ${id}`);
}

test.each([
  ['hidden from the log', 'account_id = null', 'is shown in another account, or in none'],
  ['without its details', 'details = null, salt = null', 'has lost its details'],
])('an entry that was %s is not removed, and is reported', async (_what, change, problem) => {
  const { url, deps, by, cutDeps, clock, chain, problems } = await openScene();
  const { client } = await addClient(deps, by, {
    email: 'a@mail.example',
    name: 'Ann',
    type: 'individual',
    groupName: '3a',
  });
  await correctClient(deps, by, client.referenceId, { name: 'Anna' });
  await onDatabase(url, `update activity_entries set ${change} where chain = '${chain}' and number = 12`);
  clock.advance(DAY_SECONDS);
  expect((await cutActivity(cutDeps, 0)).problems).toEqual([expect.stringContaining(`entry 12 ${problem}`)]);
  expect(await problems()).toEqual([expect.stringContaining(`entry 12 ${problem}`)]);
});

test('a cut that had to wait while all keys were replaced is signed with the new ones', async () => {
  const { url, cutDeps, clock, problems } = await openScene();
  const later = { ...(await openTestStoreAt(url, { secrets: [InstallationSecret.generate()] })), clock };
  await resetSecret(later);
  expect((await cutActivity(later, 1)).removed).toBeGreaterThan(0);
  const knownKeys = ownKeysOf(later.secrets, await later.signingKeys.all());
  const { problems: found } = await later.activityChains.inSnapshot((chains) => verifyActivity(chains, { knownKeys }));
  expect(found).toEqual([]);
  // A process with the former secret cannot sign, and removes nothing.
  clock.advance(DAY_SECONDS);
  await expect(cutActivity(cutDeps, 0)).rejects.toMatchObject({ code: 'conflict' });
  expect(await problems()).not.toContainEqual(expect.stringContaining('missing'));
});

test('all old entries are removed at once, also if the parts of imports do not end where a transaction does', async () => {
  const { store, by, cutDeps, clock, accountId, problems } = await openScene();
  const at = clock.now();
  await store.changeAccount({ accountId, actor: by.actor, at }, async (change) => {
    change.record('denial.role', 'first');
    for (let part = 0; part < 2800; part++) {
      change.record('client.imported', 'clients.csv', 'production', { id: `import ${part % 4}`, clients: 1 });
    }
    for (let part = 0; part < 900; part++) {
      change.record('client.imported', 'more.csv', 'production', {
        id: `import ${Math.floor(part / 300)}`,
        clients: 1,
      });
    }
  });
  clock.advance(DAY_SECONDS);
  await cutActivity(cutDeps, 0);
  expect((await store.activity.read(accountId, {}, { offset: 0, limit: 1 })).totalCount).toBe(0);
  expect(await problems()).toEqual([]);
});
