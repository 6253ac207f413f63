import { CompactSign } from 'jose';
import { expect, inject, test } from 'vitest';
import { addClient, correctClient, eraseClient, setRequestStatus } from '../../domain/clients/manage-clients.ts';
import { createGroup } from '../../domain/clients/manage-groups.ts';
import { SigningKeyRing } from '../../domain/credentials/signing-keys.ts';
import { type ChainEnd, hashOfEntry, type LinkedFields } from '../../domain/members/activity-chain.ts';
import { exportActivity, verifyExport } from '../../domain/members/activity-record.ts';
import { openCheckpoint, signCheckpoint } from '../../domain/members/checkpoint.ts';
import { type ActivityChains, problemText, verifyActivity } from '../../domain/members/verify-activity.ts';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { onDatabase } from '../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

const REQUEST = '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90';

/** A workspace whose chain has seven entries: a key, two groups, two clients and two changes of the first client. */
async function openScene() {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const store = await openTestStoreAt(url);
  const deps = { ...store, clock };
  const { workspaceId, accountId } = await aWorkspace(store, clock, 'a@firm.example');
  const by = { workspaceId, actor: { ...TESTER, requestId: REQUEST } };
  for (const name of ['Partners', 'Retail']) await createGroup(deps, by, name);
  const references: string[] = [];
  for (const name of ['Anna Canary', 'Bert']) {
    const email = `${name.slice(0, 4).toLowerCase()}@mail.example`;
    const { client } = await addClient(deps, by, { email, name, type: 'individual', groupName: 'Partners' });
    references.push(client.referenceId);
  }
  const [anna = '', bert = ''] = references;
  await correctClient(deps, by, anna, { name: 'Anna Canary-Secret' });
  await setRequestStatus(deps, by, anna, 'declined', 'Asked for documents');
  const chain = `workspace:${workspaceId}`;
  const problems = async (signed?: ChainEnd[]) => {
    const verified = await store.activityChains.inSnapshot((chains) =>
      verifyActivity(chains, { knownKeys: [], signed }),
    );
    return verified.problems.map((each) => problemText(each).replace(/^.*: entry /, ''));
  };
  return { url, store, deps, by, accountId, chain, anna, bert, problems };
}

const entry = (chain: string, number: number) => `chain = '${chain}' and number = ${number}`;

/** What somebody does to the table, and what is found. */
const TAMPERING: [string, (chain: string) => string[], string[]][] = [
  ['nothing', () => [], []],
  [
    'an entry has another subject',
    (chain) => [`update activity_entries set subject = 'Retail 2' where ${entry(chain, 3)}`],
    ['3 was changed, or replaced by another one'],
  ],
  [
    'an entry has another time',
    (chain) => [`update activity_entries set at = at + 1 where ${entry(chain, 4)}`],
    ['4 was changed, or replaced by another one'],
  ],
  [
    'an entry names another actor',
    (chain) => [`update activity_entries set member = 'operator' where ${entry(chain, 2)}`],
    ['2 was changed, or replaced by another one'],
  ],
  [
    'an entry has other details',
    (chain) => [`update activity_entries set details = '{"from":{},"to":{},"reason":null}' where ${entry(chain, 6)}`],
    ['6 has other details than were recorded'],
  ],
  [
    'an entry has lost its details',
    (chain) => [`update activity_entries set details = null, salt = null where ${entry(chain, 6)}`],
    [expect.stringMatching(/^6 has lost its details, although the client \S+ was not erased$/)],
  ],
  ['an entry is gone', (chain) => [`delete from activity_entries where ${entry(chain, 3)}`], ['3 is missing']],
  [
    'the first entries are gone',
    (chain) => [`delete from activity_entries where chain = '${chain}' and number < 4`],
    ['1 and all up to 3 are missing'],
  ],
  [
    'the last entries are gone',
    (chain) => [`delete from activity_entries where chain = '${chain}' and number > 5`],
    ['6 and all up to 7 are missing'],
  ],
  [
    'an entry is gone and the later ones are numbered again',
    (chain) => [
      `delete from activity_entries where ${entry(chain, 6)}`,
      `update activity_entries set number = 6 where ${entry(chain, 7)}`,
    ],
    ['6 was changed, or replaced by another one', '7 is missing'],
  ],
  [
    'two entries are swapped',
    (chain) => [
      `update activity_entries set number = 100 where ${entry(chain, 3)}`,
      `update activity_entries set number = 3 where ${entry(chain, 4)}`,
      `update activity_entries set number = 4 where ${entry(chain, 100)}`,
    ],
    [
      '3 was changed, or replaced by another one',
      '4 was changed, or replaced by another one',
      '5 was changed, or replaced by another one',
    ],
  ],
  [
    'an entry is added at the end',
    (chain) => [copyOf(chain, 2, 8)],
    ['8 was changed, or replaced by another one', '8 was added behind the recorded end'],
  ],
  [
    'an entry is added before the first one',
    (chain) => [copyOf(chain, 2, 0), copyOf(chain, 2, -3)],
    ['-3 was added', '0 was added'],
  ],
  [
    'an entry is hidden',
    (chain) => [`update activity_entries set continues = 2 where ${entry(chain, 3)}`],
    ['3 is hidden, or shown although it belongs to an earlier one'],
  ],
  [
    'an entry is shown in no account',
    (chain) => [`update activity_entries set account_id = null where ${entry(chain, 3)}`],
    ['3 is shown in another account, or in none'],
  ],
  [
    'an entry is added to a chain that does not exist',
    (chain) => [copyOf(chain, 2, 1, 'workspace:999')],
    ['1 is in a chain that belongs to nothing'],
  ],
];

const COLUMNS = [
  ...['account_id', 'at', 'id', 'part_of', 'continues', 'member', 'action', 'subject', 'environment', 'address'],
  ...['request_id', 'clients', 'details', 'salt', 'details_hash', 'hash'],
].join(', ');

function copyOf(chain: string, number: number, as: number, into = chain): string {
  return `insert into activity_entries (chain, number, ${COLUMNS})
    select '${into}', ${as}, ${COLUMNS} from activity_entries where ${entry(chain, number)}`;
}

test.each(TAMPERING)('if %s, it is found and named', async (_what, statements, expected) => {
  const { url, chain, problems } = await openScene();
  expect(await problems()).toEqual([]);
  for (const statement of statements(chain)) await onDatabase(url, statement);
  expect(await problems()).toEqual(expected);
});

test('what a client was is gone from the log after it was erased, and the log is intact', async () => {
  const { url, deps, by, anna, problems, store, accountId } = await openScene();
  expect(JSON.stringify(await onDatabase(url, 'select * from activity_entries'))).toContain('Canary-Secret');
  await eraseClient(deps, by, anna);

  const rows = await onDatabase(url, 'select * from activity_entries');
  expect(JSON.stringify(rows)).not.toMatch(/Canary|Asked for documents/);
  expect(await problems()).toEqual([]);
  const { entries } = await store.activity.read(accountId, { kind: 'client' }, { offset: 0, limit: 10 });
  expect(entries.map(({ action, changed }) => [action, changed])).toEqual([
    ['client.erased', null],
    ['client.changed', null],
    ['client.changed', null],
    ['client.added', null],
    ['client.added', null],
  ]);
});

test('an entry says what was changed from what to what, why, and in which request', async () => {
  const { store, accountId, anna } = await openScene();
  const { entries } = await store.activity.read(accountId, { kind: 'client' }, { offset: 0, limit: 2 });
  expect(entries).toMatchObject([
    {
      subject: anna,
      requestId: REQUEST,
      changed: {
        from: { request_status: 'requested' },
        to: { request_status: 'declined' },
        reason: 'Asked for documents',
      },
    },
    { changed: { from: { client_name: 'Anna Canary' }, to: { client_name: 'Anna Canary-Secret' }, reason: null } },
  ]);
});

test('a chain whose hashes were all computed again is found with a checkpoint, in the database and in an export', async () => {
  const { url, store, deps, by, chain, problems } = await openScene();
  const signingKeys = await SigningKeyRing.open(deps);
  const { chains } = await store.activityChains.inSnapshot(async (read) => ({ chains: await read.ends() }));
  const file = JSON.stringify(await signCheckpoint({ signingKeys }, { madeAt: 1, chains }));
  await createGroup(deps, by, 'Later');
  const signed = (await openCheckpoint(signingKeys.published(), file)).chains;
  expect(await problems(signed)).toEqual([]);
  const exported = () => linesIn(store.activityChains);
  expect(await verifyExport(lines(await exported()), { knownKeys: [], signed })).toMatchObject({ problems: [] });

  await rewriteFrom(url, chain, 3);
  expect(await problems()).toEqual([]);
  expect(await problems(signed)).toEqual(['7 differs from the signed checkpoint']);
  const { problems: inExport } = await verifyExport(lines(await exported()), { knownKeys: [], signed });
  expect(inExport.map(problemText)).toEqual([expect.stringContaining('entry 7 differs from the signed checkpoint')]);
});

test('a checkpoint with another content, another key or another purpose is refused', async () => {
  const { deps } = await openScene();
  const signingKeys = await SigningKeyRing.open(deps);
  const file = await signCheckpoint({ signingKeys }, { madeAt: 1, chains: [] });
  const [head, , signature] = file.checkpoint.split('.');
  const payload = Buffer.from('{"madeAt":2,"chains":[]}').toString('base64url');
  const forged = [
    { ...file, checkpoint: `${head}.${payload}.${signature}` },
    { ...file, key: { ...file.key, x: Buffer.alloc(32, 1).toString('base64url') } },
    { ...file, key: { ...file.key, kid: 'another', x: Buffer.alloc(32, 1).toString('base64url') } },
    { checkpoint: 1 },
    'text',
  ];
  for (const each of forged) {
    await expect(openCheckpoint(signingKeys.published(), JSON.stringify(each))).rejects.toThrow('is not a checkpoint');
  }
  await expect(openCheckpoint(signingKeys.published(), '{')).rejects.toThrow('it is not JSON');
  // Signed, and yet not a checkpoint.
  for (const content of [
    { madeAt: 1 },
    { madeAt: 'x', chains: [] },
    { madeAt: 1, chains: [null] },
    { madeAt: 1, chains: {} },
  ]) {
    const signed = await signAnything(signingKeys, content);
    await expect(openCheckpoint(signingKeys.published(), signed)).rejects.toThrow('where the log ends');
  }
});

test('a client that was erased after the checkpoint, and an export of one account, cause no alarm', async () => {
  const { store, deps, by, anna, accountId, chain } = await openScene();
  const other = await aWorkspace(store, deps.clock, 'other@firm.example');
  const signed = await store.activityChains.inSnapshot((read) => read.ends());
  await eraseClient(deps, by, anna);
  expect(await verifyExport(lines(await linesIn(store.activityChains)), { knownKeys: [], signed })).toMatchObject({
    problems: [],
    absent: [],
  });

  const own = await linesIn(store.activityChains, accountId);
  const verified = await verifyExport(lines(own), { knownKeys: [], signed });
  expect(verified).toMatchObject({ entries: own.length, problems: [], unsigned: [] });
  expect(verified.absent).toEqual([`account:${other.accountId}`, `workspace:${other.workspaceId}`]);
  const unsigned = signed.filter((each) => each.chain !== chain);
  expect((await verifyExport(lines(own), { knownKeys: [], signed: unsigned })).unsigned).toEqual([chain]);
});

test('a line that was added to an export is found, also one that repeats the hash of another', async () => {
  const { store, chain } = await openScene();
  const signed = await store.activityChains.inSnapshot((read) => read.ends());
  const exported = await linesIn(store.activityChains);
  const third = exported.findIndex((line) => line.startsWith(`{"chain":"${chain}","number":3,`));
  const forged = JSON.stringify({ ...JSON.parse(exported[third] ?? ''), member: 'somebody else' });
  const { problems } = await verifyExport(lines(exported.toSpliced(third + 1, 0, forged)), { knownKeys: [], signed });
  expect(problems.map(problemText)).toEqual([expect.stringMatching(/entry 3 was added$/)]);
  for (const line of ['null', '1', '{}', '{"at":1}', 'text']) {
    await expect(verifyExport(lines([line]), { knownKeys: [], signed })).rejects.toThrow('is not an export');
  }
});

test('empty lines in an export, and line ends of Windows, do not disturb its verification', async () => {
  const { store } = await openScene();
  const signed = await store.activityChains.inSnapshot((read) => read.ends());
  const exported = await linesIn(store.activityChains);
  const odd = exported.flatMap((line) => [`${line}\r`, '\r', '  ', '']);
  expect(await verifyExport(lines(odd), { knownKeys: [], signed })).toMatchObject({
    entries: exported.length,
    problems: [],
  });
});

test('if very many entries were changed, the first ones are named and the others counted', async () => {
  const { url, store, deps, by, problems } = await openScene();
  for (let number = 0; number < 110; number++) await createGroup(deps, by, `Group ${number}`);
  await onDatabase(url, `update activity_entries set address = '192.0.2.1' where action = 'group.created'`);
  const found = await problems();
  expect(found).toHaveLength(101);
  expect(found.at(-1)).toBe('105 is not the last: 12 more problems');
  expect((await store.checkConsistency()).problems).toHaveLength(100);
});

test('an id that a caller has chosen for its request is not kept, because it may be personal data', async () => {
  const { url, deps, by } = await openScene();
  await createGroup(deps, { ...by, actor: { ...TESTER, requestId: 'ada@mail.example' } }, 'North');
  expect(JSON.stringify(await onDatabase(url, 'select * from activity_entries'))).not.toContain('ada@mail.example');
});

async function signAnything(signingKeys: SigningKeyRing, content: object): Promise<string> {
  const { kid, privateKey } = signingKeys.current();
  const header = { alg: 'Ed25519', typ: 'rollcall-checkpoint', kid };
  const checkpoint = await new CompactSign(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader(header)
    .sign(privateKey);
  return JSON.stringify({ checkpoint, key: signingKeys.published().find((key) => key.kid === kid) });
}

async function linesIn(chains: ActivityChains, accountId?: number): Promise<string[]> {
  return chains.inSnapshot(async (read) => {
    const records: string[] = [];
    for await (const record of exportActivity(read, await read.ends(accountId))) records.push(JSON.stringify(record));
    return records;
  });
}

async function* lines(of: string[]): AsyncGenerator<string> {
  yield* of;
}

/** Changes an entry and computes its hash and all later ones again, as somebody could who knows how they are made. */
async function rewriteFrom(url: string, chain: string, number: number): Promise<void> {
  await onDatabase(url, `update activity_entries set subject = 'Other' where ${entry(chain, number)}`);
  const rows = await onDatabase(
    url,
    `select * from activity_entries where chain = '${chain}' and number >= ${number - 1} order by number`,
  );
  let previous = String(rows[0]?.hash);
  for (const row of rows.slice(1)) {
    const place = { chain, number: Number(row.number), previous };
    // The driver of PostgreSQL returns large numbers as text.
    const times = { at: Number(row.at), clients: row.clients === null ? null : Number(row.clients) };
    const fields = { ...row, ...times, partOf: row.part_of, requestId: row.request_id, detailsHash: row.details_hash };
    previous = hashOfEntry(place, fields as unknown as LinkedFields);
    await onDatabase(url, `update activity_entries set hash = '${previous}' where ${entry(chain, place.number)}`);
  }
  await onDatabase(
    url,
    `update workspaces set activity_hash = '${previous}' where id = ${chain.slice('workspace:'.length)}`,
  );
}
