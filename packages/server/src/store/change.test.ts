import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { allRowsIn } from '../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../testing/test-store.ts';
import type { WorkspaceParts } from './change.ts';
import type { Store } from './open-store.ts';

const SOURCE = fileURLToPath(new URL('../', import.meta.url));

/** Every file of the server except its tests. */
function sources(): { path: string; text: string }[] {
  return readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(SOURCE, path), text: readFileSync(path, 'utf8') }))
    .filter(({ path }) => !path.startsWith('testing/'));
}

function filesWith(pattern: RegExp): string[] {
  return sources()
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();
}

test('only the seam opens writing transactions', () => {
  expect(filesWith(/\bengine\.write\(|\bto\.write\(|\.write\(\(?(async )?\(?(db|work|transaction|target)\b/)).toEqual([
    'store/change.ts',
  ]);
  const elsewhere = filesWith(/\.(transaction|startTransaction)\(\)/).filter((path) => !/^store\/engines\//.test(path));
  expect(elsewhere).toEqual([]);
});

test('every file that writes rows gets its transaction from the seam', () => {
  const writing = /\.(insertInto|updateTable|deleteFrom|insertMany)\(|sql`\s*(insert|update|delete)\b/;
  const own = filesWith(writing).filter((path) => !/^store\/(engines|migrations)\//.test(path));
  expect(own.length).toBeGreaterThan(10);
  const usesSeam = filesWith(/from '[./]*\/(unit-of-work|client-unit-of-work|change)\.ts'/);
  // Called by the seam itself, within the transaction that it has opened.
  const calledBySeam = ['store/clients/client-index/apply-index-changes.ts', 'store/installation.ts', 'store/locks.ts'];
  expect(own.filter((path) => !usesSeam.includes(path) && !calledBySeam.includes(path))).toEqual([]);
});

test('what is recorded is named by the domain', () => {
  const recording = filesWith(/import \{[^}]*\brecord\b[^}]*\} from '[./\w]*\/change\.ts'/);
  expect(recording.length).toBeGreaterThan(1);
  expect(recording.filter((path) => !path.startsWith('domain/'))).toEqual([]);
});

/** Every function of the store, by what it may do. A new function has to be added to one of these lists. */
const READS = [
  'accounts.exist accounts.list accounts.byOwnerEmail accounts.byId accounts.workspaceId accounts.settings keys.list keys.find keys.namesOf keys.workspaceOf keys.byHash keys.stamp keys.versions keys.changedSince keys.allFacts keys.factsOf',
  'signingKeys.all sealed.secretId groups.list groups.sharedEmails clients.read clients.find clients.history clients.histories clients.openDryRun clients.readAll',
  'imports.find imports.latest imports.countOpen imports.rejects imports.piece versions.current searches.find summaries.read views.list views.namesOf counts.groups counts.createdBetween members.list members.accountName imports.rejectReasons imports.rejectsPage imports.countRejectsBefore imports.countClients imports.clientsPage imports.clientIds imports.size bulkChanges.find bulkChanges.latest bulkChanges.countOpen bulkChanges.referenceIds bulkChanges.changedIds reviewQueue.read reviewQueue.assigneeOf reviewTimes.between',
  'credentials.byEmail credentials.byId credentials.saltKey profiles.offeredSecondFactor profiles.countRecoveryCodes sessions.find sessions.list',
  'links.find links.invitations mailQueue.count passkeys.find passkeys.list identities.find identities.linkedAt keyListings.ofKey keyListings.groupNames keyUsage.ofKeys keyUsage.byHour keyUsage.hoursOfWorkspace activity.read activity.readAll activity.actors activity.listedIn activity.subjects activity.called activity.originsOf activityChains.open activityChains.inSnapshot activityCuts.signedByOthers activityCuts.chainsAfter workspaceIds checkConsistency onChange ping requireCompatible onOutage usage unchangedAt',
];
const CHANGES = ['changeWorkspace answerChange answerAddition changeAccount changeInstallation'];
const BOOKS = [
  'keyListings.add keyListings.removeFirstDayBefore keyUsage.add keyUsage.moveLastUse keyUsage.removeBefore sessions.seen sessions.removeExpired links.removeExpired links.mail passkeys.removeExpiredChallenges mailQueue.add mailQueue.take mailQueue.postpone mailQueue.remove mailQueue.removeOld keptAnswers.removeExpired imports.begin imports.addPiece imports.discard imports.remove imports.removePieces imports.claim imports.renew imports.release imports.startOver imports.removeOld bulkChanges.claim bulkChanges.renew bulkChanges.release bulkChanges.removeOld sealed.removeRemains requireWritable',
];
const LIFE = ['migrate close'];

/** Calls are leased outside the seam (decision 76), on PostgreSQL only: SQLite has no `sharedBuckets`. */
function functionsOf({ sharedBuckets, ...store }: Store): string[] {
  return Object.entries(store)
    .flatMap(([part, value]) =>
      typeof value === 'function'
        ? [part]
        : Object.entries(value)
            .filter(([, member]) => typeof member === 'function')
            .map(([name]) => `${part}.${name}`),
    )
    .sort();
}

const namesIn = (...lists: string[][]) => lists.flat().join(' ').split(' ').sort();

test('every function of the store is known to read, to change through the seam, or to keep books', async () => {
  const store = await openTestStoreAt(await newDatabase(inject('engine')));
  expect(functionsOf(store)).toEqual(namesIn(READS, CHANGES, BOOKS, LIFE));
});

const at = 1_000_000;

const aSecret = (number: number) => ({ number, preview: '…', createdAt: at, endsAt: null, endedAt: null });

/** One call of every function within a change to a workspace. Each of them changes something. */
const WORKSPACE_CHANGES: Record<string, (change: WorkspaceParts, keyId: string) => Promise<unknown>> = {
  'clients.add': ({ clients }) => clients.add(aClient()),
  'clients.change': ({ clients }) => clients.change('1700000000000-0001', () => ({ name: 'New' })),
  'clients.changeMany': ({ clients }) => clients.changeMany(['1700000000000-0001'], () => ({ status: 'inactive' })),
  'clients.erase': ({ clients }) => clients.erase('1700000000000-0001'),
  'clients.importRows': ({ clients }) => clients.importRows([{ line: 1, ...aClient() }]),
  'assignments.assign': ({ assignments }) => assignments.assign('1700000000000-0001', () => null),
  'assignments.unassignAll': async ({ assignments }) => {
    expect(await assignments.unassignAll({ memberId: 1, email: 'a@firm.example' })).toBe(1);
  },
  'groups.create': ({ groups }) => groups.create('New'),
  'groups.rename': ({ groups }) => groups.rename('everyone', 'All'),
  'groups.ensure': ({ groups }) => groups.ensure('Another'),
  'groups.moveClients': async ({ groups }) => {
    const [from, into] = [await groups.ensure('everyone'), await groups.create('New')];
    await groups.moveClients(from.token, into.token, 10);
  },
  'groups.remove': async ({ groups }) => groups.remove((await groups.create('New')).token),
  'keys.create': ({ keys }) =>
    keys.create(
      {
        id: 'key_new',
        workspaceId: 0,
        environment: 'production',
        name: 'new',
        note: '',
        scopes: ['clients:read'],
        allowedNetworks: [],
        rateLimit: null,
        createdAt: at,
        createdBy: null,
        expiresAt: null,
      },
      aSecret(1),
      'hash',
    ),
  'keys.update': ({ keys }, keyId) =>
    keys.update(keyId, { name: 'renamed', note: '', allowedNetworks: [], expiresAt: null, rateLimit: null }),
  'keys.roll': ({ keys }, keyId) =>
    keys.roll(keyId, { added: aSecret(2), hash: 'hash', ends: [{ ...aSecret(1), endsAt: at }], keep: 10 }),
  'keys.endSecret': ({ keys }, keyId) => keys.endSecret(keyId, 1),
  'keys.revoke': ({ keys }, keyId) => keys.revoke(keyId),
  'keys.removeOldestRevoked': async ({ keys }, keyId) => {
    await keys.revoke(keyId);
    await keys.removeOldestRevoked(at + 1);
  },
  'imports.cancel': async ({ imports }) => {
    await imports.enqueue('imp_stored');
    await imports.cancel('imp_stored');
  },
  'bulkChanges.cancel': async ({ bulkChanges }) => {
    await bulkChanges.enqueue({ id: 'chg_1', request: { patch: {}, filter: {} }, actor: TESTER, total: 1 });
    await bulkChanges.cancel('chg_1');
  },
  rebuildIndex: ({ rebuildIndex }) => rebuildIndex(),
};

async function aScene() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url);
  const { workspaceId, accountId, key } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await addClients(store, workspaceId, [aClient({ referenceId: '1700000000000-0001' })]);
  await store.changeWorkspace({ workspaceId, actor: TESTER, at }, async (change) => {
    const member = await change.assignments.member(1);
    await change.assignments.assign('1700000000000-0001', () => member ?? null);
    change.record('client.assigned', '1700000000000-0001');
  });
  const file = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  await store.imports.begin({ workspaceId, id: 'imp_stored', request: file, actor: TESTER, createdAt: at });
  const versionOf = async () => (await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).stamp;
  const entries = async () => (await store.activity.read(accountId, {}, { offset: 0, limit: 100 })).totalCount;
  return { url, store, workspaceId, accountId, key, versionOf, entries };
}

test('the list above has every function within a change to a workspace', async () => {
  const { store, workspaceId } = await aScene();
  await store.changeWorkspace({ workspaceId, actor: TESTER, at }, async ({ record: _, ...parts }) => {
    // Imports and bulk changes keep books within the changes that they make.
    const reading = [
      'assignments.member',
      'isAwaited',
      'bulkChanges.advance',
      'bulkChanges.end',
      'bulkChanges.enqueue',
      'bulkChanges.next',
      'imports.advance',
      'imports.clientIds',
      'imports.correct',
      'imports.end',
      'imports.enqueue',
      'imports.find',
      'imports.rejects',
      'clients.referenceOf',
      'clients.requiresDeclineReason',
      'groups.byToken',
      'groups.find',
      'groups.sizeOf',
      'keys.count',
      'keys.createdBy',
      'keys.find',
    ];
    const names = functionsOf(parts as unknown as Store).filter((name) => !reading.includes(name));
    expect(names).toEqual(Object.keys(WORKSPACE_CHANGES).sort());
  });
});

test.each(Object.entries(WORKSPACE_CHANGES))(
  '%s raises the version once and is recorded in the activity log',
  async (_name, use) => {
    const { store, workspaceId, key, versionOf, entries } = await aScene();
    const [version, recorded] = [await versionOf(), await entries()];
    await store.changeWorkspace({ workspaceId, actor: TESTER, at }, async (change) => {
      change.record('client.changed', 'test');
      await use(change, key.id);
    });
    expect(await versionOf()).not.toEqual(version);
    expect(await entries()).toBe(recorded + 1);
    expect((await store.checkConsistency()).problems).toEqual([]);
  },
);

test.each(Object.entries(WORKSPACE_CHANGES))(
  '%s is rolled back when it is not recorded in the activity log',
  async (_name, use) => {
    const { url, store, workspaceId, key } = await aScene();
    const before = await allRowsIn(url);
    const unrecorded = store.changeWorkspace({ workspaceId, actor: TESTER, at }, (change) => use(change, key.id));
    await expect(unrecorded).rejects.toThrow('not recorded in the activity log');
    expect(await allRowsIn(url)).toEqual(before);
  },
);

test('a change to an account is rolled back when it is not recorded in the activity log', async () => {
  const { url, store, accountId } = await aScene();
  const before = await allRowsIn(url);
  const member = { email: 'new@firm.example', role: 'viewer', passwordHash: '', createdAt: at } as const;
  const unrecorded = store.changeAccount({ accountId, actor: TESTER, at }, (change) => change.members.add(member));
  await expect(unrecorded).rejects.toThrow('not recorded in the activity log');
  expect(await allRowsIn(url)).toEqual(before);
});

test('ending the invitations of somebody who has none is no change, and needs no activity entry', async () => {
  const { url, store, accountId } = await aScene();
  const before = await allRowsIn(url);
  const ended = store.changeAccount({ accountId, actor: TESTER, at }, ({ links }) =>
    links.endInvitationsOf('nobody@firm.example'),
  );
  expect(await ended).toEqual([]);
  expect(await allRowsIn(url)).toEqual(before);
});

test('a group that still has clients is not removed', async () => {
  const { url, store, workspaceId } = await aScene();
  const before = await allRowsIn(url);
  const removed = store.changeWorkspace({ workspaceId, actor: TESTER, at }, async (change) => {
    change.record('group.deleted', 'Everyone');
    await change.groups.remove((await change.groups.ensure('everyone')).token);
  });
  await expect(removed).rejects.toThrow('A group with clients was removed');
  expect(await allRowsIn(url)).toEqual(before);
});

test('a change without an effect neither raises the version nor adds an activity entry', async () => {
  const { url, store, workspaceId } = await aScene();
  const before = await allRowsIn(url);
  await store.changeWorkspace({ workspaceId, actor: TESTER, at }, async (change) => {
    change.record('client.changed', 'nothing');
    await change.clients.change('1700000000000-0001', ({ name }) => ({ name }));
    await change.clients.change('1700000000000-9999', () => ({ name: 'X' }));
  });
  expect(await allRowsIn(url)).toEqual(before);
});

test('bookkeeping neither raises the version nor adds an activity entry', async () => {
  const { store, workspaceId, key, versionOf, entries } = await aScene();
  const [version, recorded] = [await versionOf(), await entries()];
  const stamp = await store.keys.stamp();
  const use = {
    workspaceId,
    keyId: key.id,
    hour: 1,
    calls: 1,
    failed: 0,
    limited: 0,
    lastUsedAt: at,
    lastUsedFrom: '192.0.2.7',
  };
  await store.keyUsage.add([use]);
  await store.keyUsage.moveLastUse([use]);
  await store.keyUsage.removeBefore(1);
  await store.sessions.removeExpired(at, at);
  await store.links.removeExpired(at);
  expect(await versionOf()).toEqual(version);
  expect(await store.keys.stamp(), 'no process needs to read the keys again').toBe(stamp);
  expect(await entries()).toBe(recorded);
});

test('the parts of an import are one entry, but only with the same actor and file and within the same ten minutes', async () => {
  const { store, workspaceId, accountId } = await aScene();
  const piece = (name: string, actor: string, when = at) =>
    store.changeWorkspace({ workspaceId, actor: { name: actor, address: '' }, at: when }, async (change) => {
      change.record('client.imported', name, { id: 'an-import', clients: 2 });
      await change.clients.importRows([{ line: 1, ...aClient() }]);
    });
  await piece('a.csv', 'ada');
  await piece('a.csv', 'ada');
  await piece('b.csv', 'ada');
  await piece('a.csv', 'bob');
  await piece('a.csv', 'ada', at + 600_000);
  const { entries } = await store.activity.read(accountId, { kind: 'client' }, { offset: 0, limit: 10 });
  const imported = entries.filter(({ member }) => member !== TESTER.name);
  expect(imported.map(({ member, subject, clients }) => `${member} ${subject} ${clients}`).sort()).toEqual(
    ['ada a.csv 4', 'ada a.csv 2', 'ada b.csv 2', 'bob a.csv 2'].sort(),
  );
});
