import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readImport } from '../../files/read-import.ts';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';
import { aWorkbook } from '../../testing/workbook.ts';
import { Failure } from '../failure.ts';
import { NO_ROWS } from './counted-rows.ts';
import { NO_GROUP_CHANGES } from './group-change-counts.ts';
import { type ImportedClient, NOTHING_IMPORTED } from './import-clients.ts';
import type { ImportJob, ImportRequest } from './import-job.ts';
import { addClient, correctClient, eraseClient } from './manage-clients.ts';
import { cancelImportIn } from './manage-imports.ts';
import { parseRow } from './parse-row.ts';
import { ImportRunner, type RunImportsDeps } from './run-imports.ts';
import { storeFile } from './store-import.ts';

const REQUEST = { name: 'clients.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };

async function openScene(opening = openTestStore()) {
  const store = await opening;
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const enqueue = async (text: string | Uint8Array, workspace = workspaceId, request: ImportRequest = REQUEST) => {
    const by = { workspaceId: workspace, actor: TESTER };
    const bytes = async function* () {
      // In pieces that end in the middle of lines.
      const all = Buffer.from(text);
      for (let start = 0; start < all.length; start += 700) yield all.subarray(start, start + 700);
    };
    const { id } = await storeFile({ ...store, clock }, by, request, bytes());
    await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue(id));
    return id;
  };
  const run = (deps: Partial<RunImportsDeps> = {}) => {
    const runner = new ImportRunner({
      ...store,
      clients: { ...store.clients, rowsAtOnce: 7 },
      clock,
      readRows: readImport,
      onDefect: (error) => expect.fail(String(error)),
      ...deps,
    });
    onTestFinished(() => runner.stop());
    return runner;
  };
  const jobOf = (id: string, workspace = workspaceId) => store.imports.find(workspace, id) as Promise<ImportJob>;
  const ended = async (id: string, workspace = workspaceId) => {
    await expect.poll(async () => (await jobOf(id, workspace)).endedAt, { interval: 10 }).not.toBeNull();
    return jobOf(id, workspace);
  };
  return { store, clock, workspaceId, enqueue, run, jobOf, ended };
}

function csvOf(count: number, group = 'G'): string {
  const rows = Array.from({ length: count }, (_, index) =>
    index % 10 === 9
      ? `wrong,Client ${index},company,${group}`
      : `c${index % 80}@mail.example,Client ${index},company,${group}`,
  );
  return ['email,client_name,client_type,group_name', ...rows, ''].join('\n');
}

/** What an import that is not disturbed does. */
const UNDISTURBED = {
  state: 'completed',
  rowsRead: 200,
  inserted: 72,
  updated: 108,
  unchanged: 0,
  rejected: 20,
  repeats: { rows: 108, lines: [82, 83, 84, 85, 86, 87, 88, 89, 90, 92] },
};

test('an import whose process hangs is continued by another one, and every row has its effect once', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const hanging = Promise.withResolvers<void>();
  const continued = Promise.withResolvers<void>();
  let batches = 0;
  const id = await enqueue(csvOf(200));
  const hung = run({
    changeWorkspace: async (context, work) => {
      if (++batches > 5) {
        hanging.resolve();
        await continued.promise;
      }
      return store.changeWorkspace(context, work);
    },
    // It does not say that it goes on.
    imports: { ...store.imports, renew: async () => true },
  });
  await hanging.promise;
  expect((await store.imports.find(workspaceId, id))?.rowsRead).toBe(35);
  clock.advance(16);
  run();
  expect(await ended(id)).toMatchObject(UNDISTURBED);
  continued.resolve();
  await hung.stop();
  expect(await ended(id)).toMatchObject(UNDISTURBED);
  const rejects = await store.imports.rejects(workspaceId, id, 0);
  expect(rejects.map(({ rowNumber }) => rowNumber)).toEqual(Array.from({ length: 20 }, (_, index) => index * 10 + 10));
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(72);
  expect((await store.checkConsistency()).problems).toEqual([]);
  expect(await store.imports.piece(workspaceId, id, 0)).toBeUndefined();
});

test('an import whose process has ended is continued after the time of a lease when the clock was set back meanwhile', async () => {
  const steadyClock = new TestClock(0);
  const opening = openTestStoreAt(await newDatabase(inject('engine')), { steadyNow: () => steadyClock.now() });
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene(opening);
  const id = await enqueue(csvOf(200));
  expect(await store.imports.claim('process-that-ended', clock.now())).toMatchObject({ workspaceId, id });
  clock.advance(-3600);
  expect(await store.imports.claim('too-early', clock.now())).toBeUndefined();
  steadyClock.advance(15);
  run();
  expect(await ended(id)).toMatchObject(UNDISTURBED);
});

test('how much of a file has been read grows to the whole, for text and for workbooks', async () => {
  const { store, workspaceId, enqueue, run, ended } = await openScene();
  const long = `${'x'.repeat(40_000)},`;
  const header = ['email', 'client_name', 'client_type', 'group_name'];
  const cells = Array.from({ length: 40 }, (_, index) => [`c${index}@mail.example`, `C ${index}`, 'company', 'G']);
  const text = [`filler,${header}`, ...cells.map((row) => long + row)].join('\n');
  const files = [
    [text, { ...REQUEST, ignoresUnknown: true }],
    [aWorkbook([header, ...cells]), { ...REQUEST, format: 'xlsx' }],
  ] as const;
  for (const [content, request] of files) {
    const id = await enqueue(content, workspaceId, request);
    const shares: number[] = [];
    const runner = run({
      changeWorkspace: async (context, work) => {
        const result = await store.changeWorkspace(context, work);
        shares.push((await store.imports.find(workspaceId, id))?.shareRead ?? Number.NaN);
        return result;
      },
    });
    expect(await ended(id)).toMatchObject({ state: 'completed', rowsRead: 40, shareRead: 1 });
    await runner.stop();
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[1]).toBeGreaterThan(0.1);
    expect(shares[1]).toBeLessThan(0.6);
  }
});

test('an import is stopped and continued after any batch, as if it had not been, and keeps each of its clients once', async () => {
  const { store, workspaceId, enqueue, run, jobOf, ended } = await openScene();
  const id = await enqueue(csvOf(200));
  for (let stops = 0; stops < 20 && (await jobOf(id)).endedAt === null; stops++) {
    const before = (await jobOf(id)).rowsRead;
    const runner = run();
    await expect.poll(async () => (await jobOf(id)).rowsRead > before, { interval: 1 }).toBe(true);
    await runner.stop();
  }
  run();
  expect(await ended(id)).toMatchObject({ ...UNDISTURBED, groupChanges: { ...NO_GROUP_CHANGES, newGroups: ['G'] } });
  expect((await store.checkConsistency()).problems).toEqual([]);
  expect(await store.imports.countClients(workspaceId, id)).toBe(72);
  const kept = await store.imports.clientsPage(workspaceId, id, { offset: 0, limit: 100 });
  expect(kept.map(({ isAdded }) => isAdded)).toEqual(Array(72).fill(true));
  expect(new Set(kept.map(({ client }) => client.email)).size).toBe(72);
});

test('the clients that an import has added or changed are kept for thirty days, as far as they exist, and none of a dry run', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const by = { workspaceId, actor: TESTER };
  run();
  const file = (...rows: string[]) => ['email,client_name,client_type,group_name', ...rows, ''].join('\n');
  const [ada, bo] = ['ada@mail.example,Ada,company,G', 'bo@mail.example,Bo,company,G'];
  await ended(await enqueue(file(ada, bo)));
  const more = file('ada@mail.example,Ada King,company,G', bo, 'cy@mail.example,Cy,company,G');
  const results = { inserted: 1, updated: 1, unchanged: 1 };
  const checked = await enqueue(more, workspaceId, { ...REQUEST, dryRun: true });
  // Of imports that begin at the same time, any may be run first.
  expect(await ended(checked)).toMatchObject(results);
  const id = await enqueue(more);
  expect(await ended(id)).toMatchObject(results);
  const page = { offset: 0, limit: 10 };
  expect(await store.imports.clientsPage(workspaceId, checked, page)).toEqual([]);
  const kept = await store.imports.clientsPage(workspaceId, id, page);
  expect(kept).toMatchObject([
    { client: { name: 'Ada King', groupName: 'G' }, isAdded: false },
    { client: { name: 'Cy' }, isAdded: true },
  ]);
  await eraseClient({ ...store, clock }, by, kept[0]?.client.referenceId ?? '');
  expect(await store.imports.clientsPage(workspaceId, id, page)).toMatchObject([{ client: { name: 'Cy' } }]);
  expect(await store.imports.countClients(workspaceId, id)).toBe(1);
  clock.advance(31 * 24 * 3600);
  await store.imports.removeOld(clock.now());
  expect(await store.imports.countClients(workspaceId, id)).toBe(0);
});

test('of an import with very many clients, those of the first ten thousand rows that changed one are kept', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const runner = run();
  await ended(await enqueue(csvOf(3)));
  await runner.stop();
  const id = await enqueue('');
  const job = (await store.imports.claim('somebody', clock.now())) as ImportJob;
  const advance = (progress: { firstRow: number; rows: number; clients: readonly ImportedClient[] }) =>
    store.changeWorkspace({ workspaceId, actor: TESTER, at: clock.now() }, ({ imports }) => {
      const nothing = { ...NOTHING_IMPORTED, share: undefined, rejections: [] };
      return imports.advance(job, 'somebody', { ...nothing, ...progress, updated: progress.rows });
    });
  const client = (id: number) => ({ id, isAdded: false });
  await advance({ firstRow: 1, rows: 9999, clients: [client(1), client(1)] });
  await advance({ firstRow: 10_000, rows: 2, clients: [client(2), client(3)] });
  await advance({ firstRow: 10_002, rows: 1, clients: [client(3)] });
  const kept = await store.imports.clientsPage(workspaceId, id, { offset: 0, limit: 10 });
  expect(kept.map(({ client }) => client.email)).toEqual(['c0@mail.example', 'c1@mail.example']);
});

test('empty rows are skipped and counted, and an import that an earlier version left among them goes on behind them', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const [first, second, third] = csvOf(3).split('\n').slice(1);
  const empty = ',,,';
  const id = await enqueue([csvOf(0).trim(), first, empty, empty, empty, second, empty, third, empty].join('\n'));
  const job = (await store.imports.claim('earlier version', clock.now())) as ImportJob;
  const done = {
    firstRow: 1,
    rows: 3,
    share: undefined,
    inserted: 1,
    updated: 0,
    unchanged: 0,
    rejected: 2,
    statusChanges: [],
    groupChanges: NO_GROUP_CHANGES,
    emailChanges: NO_ROWS,
    emailsElsewhere: NO_ROWS,
    repeats: NO_ROWS,
    rejections: [],
    clients: [],
  };
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: clock.now() }, ({ imports }) =>
    imports.advance(job, 'earlier version', done),
  );
  await store.imports.release(job, 'earlier version');
  run();
  expect(await ended(id)).toMatchObject({ state: 'completed', rowsRead: 7, inserted: 3, rejected: 2 });
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 9 })).totalCount).toBe(2);
});

test('an import is one transaction as long as nobody waits, and ends its transaction soon when somebody does', async () => {
  const { store, clock, enqueue, run, ended } = await openScene();
  const importing = async (workspaceId: number, isAwaited: boolean) => {
    let transactions = 0;
    const runner = run({
      clients: store.clients,
      changeWorkspace: (context, work) => {
        if (context.isLong) transactions++;
        return store.changeWorkspace(context, (change) => work({ ...change, isAwaited: async () => isAwaited }));
      },
    });
    const id = await enqueue(csvOf(900), workspaceId);
    const { state, rowsRead, inserted, updated, unchanged, rejected } = await ended(id, workspaceId);
    await runner.stop();
    return { transactions, job: { state, rowsRead, inserted, updated, unchanged, rejected } };
  };
  const workspaces = await Promise.all(
    ['b@firm.example', 'c@firm.example'].map((each) => aWorkspace(store, clock, each)),
  );
  const [patient, interrupted] = workspaces.map(({ workspaceId }) => workspaceId) as [number, number];
  const whole = await importing(patient, false);
  expect(whole.transactions).toBe(1);
  const inParts = await importing(interrupted, true);
  expect(inParts.transactions).toBeGreaterThan(1);
  expect(inParts.job).toEqual(whole.job);
  const exported = async (workspaceId: number) => {
    const clients = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
    return clients.map(({ email, name }) => `${email} ${name}`).sort();
  };
  expect(await exported(interrupted)).toEqual(await exported(patient));
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('if the database takes too long for many rows, an import goes on with fewer', async () => {
  const { store, enqueue, run, ended } = await openScene();
  const sizes: number[] = [];
  run({
    clients: store.clients,
    changeWorkspace: (context, work) =>
      store.changeWorkspace(context, (change) => {
        const advance: typeof change.imports.advance = async (job, runner, progress) => {
          sizes.push(progress.rows);
          if (progress.rows > 300) throw new Failure('unavailable', 'Too slow.');
          return change.imports.advance(job, runner, progress);
        };
        return work({ ...change, isAwaited: async () => false, imports: { ...change.imports, advance } });
      }),
  });
  expect(await ended(await enqueue(csvOf(1200)))).toMatchObject({ state: 'completed', rowsRead: 1200 });
  expect(sizes.slice(0, 3)).toEqual([1000, 500, 250]);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a batch whose commit was not confirmed is not imported twice', async () => {
  const { store, clock, enqueue, run, jobOf, ended } = await openScene();
  let attempts = 0;
  const id = await enqueue(csvOf(200));
  run({
    changeWorkspace: async (context, work) => {
      const attempt = ++attempts;
      const result = await store.changeWorkspace(context, work);
      if (attempt === 4) throw new Failure('unavailable', 'The answer of the database was lost.');
      return result;
    },
  });
  // The run tries the batch again, finds out that it is stored, and leaves the import to the next run.
  await expect.poll(() => attempts).toBe(5);
  expect((await jobOf(id)).rowsRead).toBe(28);
  clock.advance(16);
  expect(await ended(id)).toMatchObject(UNDISTURBED);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a dry run that is interrupted starts over, and counts and rejects every row once', async () => {
  const { store, workspaceId, enqueue, run, jobOf, ended } = await openScene();
  const id = await enqueue(csvOf(200), workspaceId, { ...REQUEST, dryRun: true });
  const interrupted = run();
  await expect.poll(async () => (await jobOf(id)).rowsRead, { interval: 1 }).toBeGreaterThan(0);
  await interrupted.stop();
  run();
  expect(await ended(id)).toMatchObject(UNDISTURBED);
  expect(await store.imports.rejects(workspaceId, id, 0)).toHaveLength(20);
  expect((await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 })).totalCount).toBe(0);
});

test('a dry run during which the database is away does not fail, but goes on later', async () => {
  const { store, clock, workspaceId, enqueue, run, jobOf, ended } = await openScene();
  let attempts = 0;
  const openDryRun: typeof store.clients.openDryRun = async (workspace) => {
    if (++attempts === 1) throw new Failure('unavailable', 'The database is away.');
    return store.clients.openDryRun(workspace);
  };
  const id = await enqueue(csvOf(200), workspaceId, { ...REQUEST, dryRun: true });
  run({ clients: { ...store.clients, rowsAtOnce: 7, openDryRun } });
  await expect.poll(() => attempts).toBe(1);
  expect((await jobOf(id)).endedAt).toBeNull();
  clock.advance(16);
  expect(await ended(id)).toMatchObject(UNDISTURBED);
});

test('an upload that was abandoned is removed, and nothing more can be added to it', async () => {
  const { store, clock, workspaceId } = await openScene();
  const by = { workspaceId, actor: TESTER };
  const begin = (id: string) => store.imports.begin({ ...by, id, request: REQUEST, createdAt: clock.now() });
  const add = (id: string, number: number) =>
    store.imports.addPiece(workspaceId, id, { number, bytes: Buffer.from('email'), at: clock.now() });
  await begin('imp_slow');
  await begin('imp_left');
  for (const id of ['imp_slow', 'imp_left']) await add(id, 0);
  clock.advance(3000);
  await add('imp_slow', 1);
  clock.advance(3000);
  await store.imports.removeOld(clock.now());
  expect(await store.imports.piece(workspaceId, 'imp_slow', 1)).toBeDefined();
  expect(await store.imports.piece(workspaceId, 'imp_left', 0)).toBeUndefined();
  await expect(add('imp_left', 1)).rejects.toMatchObject({ code: 'conflict' });
  const enqueue = store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_left'));
  await expect(enqueue).rejects.toMatchObject({ code: 'conflict' });
});

test('a run that hangs for longer than its lease does not go on beside its successor in the same process', async () => {
  const { store, clock, enqueue, run, ended } = await openScene();
  const hanging = Promise.withResolvers<void>();
  const continued = Promise.withResolvers<void>();
  let batches = 0;
  const id = await enqueue(csvOf(200));
  run({
    changeWorkspace: async (context, work) => {
      if (++batches === 6) {
        hanging.resolve();
        await continued.promise;
      }
      return store.changeWorkspace(context, work);
    },
    imports: { ...store.imports, renew: async () => true },
  });
  await hanging.promise;
  clock.advance(16);
  expect(await ended(id)).toMatchObject(UNDISTURBED);
  continued.resolve();
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('wrong rows of any size and kind are rejected, and the others are imported', async () => {
  const { store, workspaceId, enqueue, run, ended } = await openScene();
  const rows = [
    `${'x'.repeat(900_000)},A,company,G`,
    'a\0@mail.example,A,company,G',
    `"unclosed ${'y'.repeat(500_000)}`,
    'good@mail.example,Good,company,G',
  ];
  run();
  const id = await enqueue(['email,client_name,client_type,group_name', ...rows, ''].join('\n'));
  expect(await ended(id)).toMatchObject({ state: 'completed', inserted: 1, rejected: 3 });
  const stored = JSON.stringify(await store.imports.rejects(workspaceId, id, 0));
  expect(stored.length).toBeLessThan(10_000);
});

test('an import that is interrupted again and again at the same place fails, and its file is removed', async () => {
  const { store, clock, workspaceId, enqueue, jobOf } = await openScene();
  const id = await enqueue(csvOf(20));
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await store.imports.claim('runner', clock.now()))?.id).toBe(attempt < 10 ? id : undefined);
    clock.advance(16);
  }
  expect(await jobOf(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/too often/) });
  expect(await store.imports.piece(workspaceId, id, 0)).toBeUndefined();
});

test('a runner that is stopped while it looks for imports stops at once', async () => {
  const { store, run } = await openScene();
  const looking = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const runner = run({
    imports: {
      ...store.imports,
      claim: async () => {
        looking.resolve();
        await answered.promise;
        return undefined;
      },
    },
  });
  await looking.promise;
  // It would look again after a second.
  const late = sleep(900).then(() => 'late');
  const stopped = runner.stop().then(() => 'stopped');
  answered.resolve();
  expect(await Promise.race([stopped, late])).toBe('stopped');
});

test('workspaces have their imports run in turn, each one at a time', async () => {
  const { store, clock, workspaceId, enqueue } = await openScene();
  const other = await aWorkspace(store, clock, 'b@firm.example');
  const third = await aWorkspace(store, clock, 'c@firm.example');
  const queued: string[] = [];
  for (const workspace of [workspaceId, workspaceId, workspaceId, other.workspaceId, third.workspaceId]) {
    queued.push(await enqueue(csvOf(5), workspace));
    clock.advance(1);
  }
  const [first, second, , fourth, fifth] = queued;
  const claim = async () => (await store.imports.claim('runner', clock.now()))?.id;
  expect(await claim()).toBe(first);
  expect(await claim()).toBe(fourth);
  expect(await claim()).toBe(fifth);
  expect(await claim()).toBeUndefined();
  await store.changeWorkspace({ workspaceId, actor: TESTER, at: clock.now() }, (change) =>
    cancelImportIn(change, first ?? ''),
  );
  expect(await claim()).toBe(second);
});

test('rejected rows of a client are erased with it, and those of an import after thirty days', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const rows = [
    'ada@mail.example,Ada,company,G',
    'ada@mail.example,Ada,robot,G',
    // Whose row this is cannot be read.
    'ada@mail.example;Ada;company;G',
    'bo@mail.example,Bo,robot,G',
  ];
  run();
  const id = await enqueue(['email,client_name,client_type,group_name', ...rows, ''].join('\n'));
  expect(await ended(id)).toMatchObject({ inserted: 1, rejected: 3 });
  const { clients } = await store.clients.read(workspaceId, {}, { offset: 0, limit: 1 });
  await eraseClient({ ...store, clock }, { workspaceId, actor: TESTER }, clients[0]?.referenceId ?? '');
  const left = await store.imports.rejects(workspaceId, id, 0);
  expect(left.map(({ row }) => row.cells.email)).toEqual(['bo@mail.example']);
  clock.advance(31 * 24 * 3600);
  await store.imports.removeOld(clock.now());
  expect(await store.imports.rejects(workspaceId, id, 0)).toEqual([]);
  expect(await store.imports.find(workspaceId, id)).toBeUndefined();
});

const HEADER = 'email,client_name,client_type,group_name';

test('erasing reaches rows with a former or a misspelt email of the client, and none of other people', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const deps = { ...store, clock };
  const by = { workspaceId, actor: TESTER };
  const { client } = await addClient(deps, by, {
    email: 'old@mail.example',
    name: 'Eva Sol',
    type: 'company',
    groupName: 'G',
  });
  await correctClient(deps, by, client.referenceId, { email: 'eva@mail.example' });
  run();
  const rows = [
    'old@mail.example,Eva,robot,G',
    'eva@@mail.example,EVA SOL,company,G',
    'Eva <eva@mail.example>,E,company,G',
    'eva@mail.example;Eva;company;G',
    // Of such a row, only the beginning is kept, and apart from it what is too much.
    `${'x'.repeat(1100)},E,company,G,eva@mail.example`,
    'bob@mail.example,Bob,company',
    ',Bob,company,G',
  ];
  const id = await enqueue([HEADER, ...rows, ''].join('\n'));
  expect(await ended(id)).toMatchObject({ rejected: 7 });
  await eraseClient(deps, by, client.referenceId);
  const left = await store.imports.rejects(workspaceId, id, 0);
  expect(left.map(({ rowNumber }) => rowNumber)).toEqual([6, 7]);
});

test('a value that is too long stays too long when its rejected row is corrected', async () => {
  const { store, workspaceId, enqueue, run, ended } = await openScene();
  run();
  const id = await enqueue(`${HEADER},external_id\nada@mail.example,Ada,company,G,${'7'.repeat(300)},\n`);
  expect(await ended(id)).toMatchObject({ rejected: 1 });
  const [reject] = await store.imports.rejects(workspaceId, id, 0);
  const cells = reject?.row.cells ?? {};
  expect(parseRow({ line: 2, cells }, {})).toContain('external_id must have at most 255 characters');
});

test('a row that would bring back an erased client is rejected without what it says about them', async () => {
  const { store, clock, workspaceId, enqueue, run, ended } = await openScene();
  const by = { workspaceId, actor: TESTER };
  const given = { email: 'eva@mail.example', name: 'Eva Sol', type: 'company', groupName: 'G' } as const;
  const { client } = await addClient({ ...store, clock }, by, given);
  await eraseClient({ ...store, clock }, by, client.referenceId);
  run();
  const id = await enqueue(`${HEADER},reference_id\neva@mail.example,Eva Sol,company,G,${client.referenceId}\n`);
  expect(await ended(id)).toMatchObject({ rejected: 1 });
  const [rejected] = await store.imports.rejects(workspaceId, id, 0);
  expect(rejected?.row.cells).toEqual({ reference_id: client.referenceId });
});

test('of very many rejected rows the first ten thousand are kept, and all are counted', {
  timeout: 120_000,
}, async () => {
  const { store, workspaceId, enqueue, run, ended } = await openScene();
  run({ clients: store.clients });
  const id = await enqueue(`${HEADER}\n${'x\n'.repeat(10_300)}`);
  expect(await ended(id)).toMatchObject({ state: 'completed', rejected: 10_300 });
  expect(await store.imports.rejects(workspaceId, id, 9_990, 500)).toHaveLength(10);
});

test('an import of a file without rows that is unpacked to very much ends when it is cancelled', async () => {
  const { store, clock, workspaceId, run, ended } = await openScene();
  const by = { workspaceId, actor: TESTER };
  const packed = gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(200_000_000, '\n')]), { level: 1 });
  const { id } = await storeFile({ ...store, clock }, by, REQUEST, Readable.from([packed]));
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue(id));
  const stop = new AbortController();
  let read = 0;
  const runner = run({
    readRows: (bytes, request, signal) => {
      const counted = async function* () {
        for await (const piece of bytes) {
          read += piece.length;
          yield piece;
        }
      };
      return readImport(counted(), request, AbortSignal.any([signal, stop.signal]));
    },
  });
  await expect.poll(() => read, { interval: 5 }).toBeGreaterThan(0);
  const began = performance.now();
  stop.abort();
  await runner.stop();
  expect(performance.now() - began).toBeLessThan(5000);
  run();
  await store.changeWorkspace({ ...by, at: clock.now() }, (change) => cancelImportIn(change, id));
  expect(await ended(id)).toMatchObject({ state: 'cancelled' });
});
