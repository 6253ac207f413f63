import { expect, test } from 'vitest';
import { readClients } from '../../files/read-clients.ts';
import { exportHeader, exportLines } from '../../files/write-clients.ts';
import type { Store } from '../../store/open-store.ts';
import { aClient, addClients, aWorkspace, ORIGIN, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';
import { openOnce } from '../../testing/when-finished.ts';
import { exportClients } from './export-clients.ts';
import { type ClientImports, type ImportSummary, importClients } from './import-clients.ts';
import { addClient, findClient } from './manage-clients.ts';
import { renameGroup } from './manage-groups.ts';
import type { SourceRow } from './parse-row.ts';

const clock = new TestClock();
const [A, B, C] = ['1700000000001-1111', '1700000000002-2222', '1700000000003-3333'] as const;

async function openFirm() {
  const store = await openTestStore();
  const { accountId, workspaceId } = await aWorkspace(store, clock, 'owner@firm.example');
  const run = async (
    rows: SourceRow['cells'][],
    { dryRun = false, keepsStatus = false, rowsAtOnce = 1000, into = workspaceId } = {},
  ) => {
    const rejections: string[] = [];
    const source = rows.map((cells, index) => ({ line: index + 2, cells }));
    const summary = await importClients(
      { ...store, clients: { ...store.clients, rowsAtOnce }, clock },
      { workspaceId: into, actor: TESTER },
      source,
      {
        origin: ORIGIN,
        dryRun,
        keepsStatus,
        onReject: ({ row, reason }) => {
          rejections.push(`${row.line}: ${reason}`);
        },
      },
    );
    return { ...summary, rejections };
  };
  return { store, accountId, workspaceId, run };
}

/** A row of a file with some of its columns. */
function row(cells: SourceRow['cells']): SourceRow['cells'] {
  return { client_name: 'Ada', client_type: 'individual', group_name: 'North', ...cells };
}

async function emailsOf(store: Store, workspaceId: number): Promise<Record<string, string>> {
  const clients = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  return Object.fromEntries(clients.map((client) => [client.referenceId, client.email]));
}

test.each([
  [
    'over a spare one',
    [
      [A, 'tmp'],
      [B, 'a'],
      [A, 'b'],
    ],
    { [A]: 'b', [B]: 'a', [C]: 'c' },
  ],
  [
    'in a circle of three',
    [
      [A, 'tmp'],
      [C, 'a'],
      [B, 'c'],
      [A, 'b'],
    ],
    { [A]: 'b', [B]: 'c', [C]: 'a' },
  ],
  [
    'down a line',
    [
      [C, 'd'],
      [B, 'c'],
      [A, 'b'],
    ],
    { [A]: 'b', [B]: 'c', [C]: 'd' },
  ],
  [
    'up a line',
    [
      [A, 'tmp'],
      [B, 'a'],
      [C, 'b'],
    ],
    { [A]: 'tmp', [B]: 'a', [C]: 'b' },
  ],
] as const)('clients hand their emails around %s', async (_how, hands, wanted) => {
  const { store, workspaceId, run } = await openFirm();
  const at = (name: string) => `${name}@x.example`;
  await run([A, B, C].map((reference_id, index) => row({ reference_id, email: at('abc'.charAt(index)) })));

  const summary = await run(hands.map(([reference_id, name]) => row({ reference_id, email: at(name) })));
  expect(summary).toMatchObject({ updated: hands.length, rejected: 0 });
  const emails = Object.fromEntries(Object.entries(wanted).map(([reference, name]) => [reference, at(name)]));
  expect(await emailsOf(store, workspaceId)).toEqual(emails);
  const [last] = (await store.clients.history(workspaceId, A)).slice(-1);
  expect(last).toMatchObject({ kind: 'changed', from: { email: at('a') }, to: { email: emails[A] } });
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a new client gets the email that another client has given up in the same file', async () => {
  const { run } = await openFirm();
  await run([row({ reference_id: A, email: 'a@x.example' })]);
  const rows = [row({ reference_id: A, email: 'b@x.example' }), row({ email: 'a@x.example' })];
  expect(await run(rows)).toMatchObject({ inserted: 1, updated: 1, rejected: 0 });
});

test('a row finds its client by its external id, and keeps that of a client if it has none itself', async () => {
  const { store, workspaceId, run } = await openFirm();
  await run([row({ reference_id: A, email: 'a@x.example', external_id: 'E1' })]);
  const moved = row({ email: 'new@x.example', group_name: 'South', external_id: ' E1 ' });
  expect(await run([moved])).toMatchObject({ inserted: 0, updated: 1, rejected: 0 });
  expect(
    await run([row({ reference_id: A, email: 'new@x.example', group_name: 'South', external_id: ' ' })]),
  ).toMatchObject({
    unchanged: 1,
  });
  expect(await findClient(store, workspaceId, A)).toMatchObject({ email: 'new@x.example', externalId: 'E1' });
  // Letter case matters.
  expect(await run([row({ email: 'b@x.example', external_id: 'e1' })])).toMatchObject({ inserted: 1 });
});

test('a row does not take over the client with its email that has another external id, and gives one to a client without', async () => {
  const { store, workspaceId, run } = await openFirm();
  await run([row({ reference_id: A, email: 'a@x.example', external_id: 'E1' }), row({ email: 'b@x.example' })]);
  const taken = [row({ email: 'a@x.example', client_name: 'Other', external_id: 'E2' })];
  for (const dryRun of [true, false]) expect(await run(taken, { dryRun })).toMatchObject({ updated: 0, rejected: 1 });
  expect(await findClient(store, workspaceId, A)).toMatchObject({ externalId: 'E1' });
  expect(await run([row({ email: 'b@x.example', external_id: 'E2' })])).toMatchObject({ updated: 1, rejected: 0 });
  const corrected = [row({ reference_id: A, email: 'a@x.example', external_id: 'E3' })];
  expect(await run(corrected)).toMatchObject({ updated: 1, rejected: 0 });
});

test('clients hand their external ids around, and a new client gets one that was given up', async () => {
  const { store, workspaceId, run } = await openFirm();
  const rows = (ids: readonly [string, string][]) =>
    ids.map(([reference_id, external_id]) => row({ reference_id, email: `${reference_id}@x.example`, external_id }));
  await run(
    rows([
      [A, 'E1'],
      [B, 'E2'],
    ]),
  );
  const around = rows([
    [A, 'tmp'],
    [B, 'E1'],
    [A, 'E2'],
  ]);
  expect(await run(around, { dryRun: true })).toMatchObject({ updated: 3, rejected: 0 });
  expect(await run(around)).toMatchObject({ updated: 3, rejected: 0 });
  expect((await findClient(store, workspaceId, A)).externalId).toBe('E2');
  expect((await findClient(store, workspaceId, B)).externalId).toBe('E1');
  expect(
    await run(
      rows([
        [A, 'E3'],
        [C, 'E2'],
      ]),
    ),
  ).toMatchObject({ inserted: 1, updated: 1, rejected: 0 });
});

/** With the clients that the rows below collide with. */
const sharedFirm = openOnce(async () => {
  const firm = await openFirm();
  await firm.run([
    row({ reference_id: A, email: 'a@x.example', external_id: 'E1' }),
    row({ reference_id: B, email: 'b@x.example', external_id: 'E2' }),
  ]);
  return firm;
});

test.each([
  [
    'the reference of one client and the external id of another',
    { reference_id: A, email: 'a@x.example', external_id: 'E2' },
    'external_id belongs to another client',
  ],
  [
    'the external id of one client and the email of another',
    { email: 'b@x.example', external_id: 'E1' },
    'email belongs to another client of the same group',
  ],
  [
    'the email of a client and another external id',
    { email: 'a@x.example', external_id: 'E3' },
    'external_id is not “E1”, which the client with this email has',
  ],
  [
    'a date that is written in another way',
    { email: 'c@x.example', created_at: '16.02.2026' },
    'created_at must be a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z, not “16.02.2026”',
  ],
  [
    'a comma',
    { email: 'c@x.example', external_id: 'E,3' },
    'external_id must not contain commas or control characters',
  ],
  [
    'a control character',
    { email: 'c@x.example', external_id: 'E\t3' },
    'external_id must not contain commas or control characters',
  ],
  [
    'too many characters',
    { email: 'c@x.example', external_id: 'x'.repeat(256) },
    'external_id must have at most 255 characters',
  ],
])('a row with %s is rejected, and nothing changes', async (_what, cells, reason) => {
  const { store, workspaceId, run } = await sharedFirm();
  const version = await store.versions.current(workspaceId);
  for (const dryRun of [true, false]) {
    expect(await run([row(cells)], { dryRun })).toMatchObject({ rejected: 1, rejections: [`2: ${reason}`] });
  }
  expect(await store.versions.current(workspaceId)).toBe(version);
});

test('a client that a file does not change gets no line in its history', async () => {
  const { store, workspaceId, run } = await openFirm();
  await run([row({ reference_id: A, email: 'a@x.example' })]);
  const version = await store.versions.current(workspaceId);
  const rows = ['b@x.example', 'a@x.example'].map((email) => row({ reference_id: A, email }));
  expect(await run(rows)).toMatchObject({ updated: 2 });
  expect(await store.clients.history(workspaceId, A)).toHaveLength(1);
  expect(await store.versions.current(workspaceId)).toBe(version);
});

const NORTH_AND_SOUTH = [
  row({ email: 'a@x.example', group_name: 'North' }),
  row({ reference_id: B, email: 'b@x.example', group_name: 'South' }),
];

test.each<[string, SourceRow['cells'][]]>([
  ['an email that exists, in a new group', [row({ email: 'a@x.example', group_name: 'New' })]],
  [
    'the first group of the workspace and a new one',
    [
      row({ email: 'b@x.example', group_name: 'North' }),
      row({ email: 'n@x.example', group_name: 'New' }),
      row({ email: 'n@x.example', group_name: 'new' }),
    ],
  ],
  [
    'rows that repeat each other far apart in the file',
    [row({ email: 'new@x.example' }), row({ email: 'a@x.example' }), row({ email: 'new@x.example' })],
  ],
  [
    'a client that an earlier row moved away',
    [
      row({ reference_id: B, email: 'z@x.example', group_name: 'New' }),
      row({ email: 'b@x.example', group_name: 'South' }),
      row({ email: 'Z@x.example', group_name: 'New' }),
      row({ reference_id: C, email: 'z@x.example', group_name: 'new' }),
      row({ reference_id: B, email: 'b@x.example', group_name: 'South' }),
    ],
  ],
  [
    'the token of a group that an earlier row created',
    [
      row({ email: 'n@x.example', group_name: 'New', group_token: '0b7c1d8e-5f5b-4c0a-9a51-000000000001' }),
      row({ email: 'm@x.example', group_name: 'Other', group_token: '0b7c1d8e-5f5b-4c0a-9a51-000000000001' }),
      row({ email: 'o@x.example', group_name: 'North', group_token: '0b7c1d8e-5f5b-4c0a-9a51-000000000001' }),
    ],
  ],
])('a dry run predicts the import: %s', async (_what, rows) => {
  const { run } = await openFirm();
  await run(NORTH_AND_SOUTH);
  const said = await Promise.all([1, 2, 1000].map((rowsAtOnce) => run(rows, { dryRun: true, rowsAtOnce })));
  const done = await run(rows, { rowsAtOnce: 2 });
  expect(said).toEqual([done, done, done]);
});

test('a dry run blocks nobody, and changes by others in the meantime do not affect its result', async () => {
  const { store, workspaceId } = await openFirm();
  async function* source() {
    for (let line = 2; line < 12; line++) {
      await addClients(store, workspaceId, [aClient({ email: `c${line + 1}@x.example`, groupName: 'North' })]);
      yield { line, cells: row({ email: `c${line}@x.example` }) };
    }
  }
  const deps = { ...store, clients: { ...store.clients, rowsAtOnce: 1 }, clock };
  const change = { workspaceId, actor: TESTER };
  const summary = await importClients(deps, change, source(), { origin: ORIGIN, dryRun: true, onReject: () => {} });
  expect(summary).toMatchObject({ inserted: 10, updated: 0, unchanged: 0 });
  expect(Object.keys(await emailsOf(store, workspaceId))).toHaveLength(10);
});

test.each([
  [
    'csv',
    'email,client_name,client_type,group_name,reject_reason\n',
    (email: string, long: string) => `${email},Ada,company,North,${long}\n`,
  ],
  ['ndjson', '', (email: string, long: string) => `${JSON.stringify({ ...row({ email }), reject_reason: long })}\n`],
] as const)('a batch ends when its rows have too much text, however few they are (%s)', async (format, head, line) => {
  const { store, workspaceId } = await openFirm();
  const long = 'x'.repeat(1_000_000);
  async function* file() {
    yield Buffer.from(head);
    for (let n = 0; n < 40; n++) yield Buffer.from(line(`c${n}@x.example`, long));
  }
  const imported: number[] = [];
  const summary = await importClients(
    { ...store, clock },
    { workspaceId, actor: TESTER },
    readClients(file(), format),
    { origin: ORIGIN, onReject: () => {}, onProgress: ({ inserted }) => void imported.push(inserted) },
  );
  expect(summary).toMatchObject({ inserted: 40, updated: 0, unchanged: 0, rejected: 0, statusChanges: [] });
  expect(imported).toEqual([17, 34, 40]);
});

test('a dry run whose source fails leaves nothing open', async () => {
  const { store, workspaceId } = await openFirm();
  let open = 0;
  const openDryRun: ClientImports['openDryRun'] = async (...args) => {
    const dryRun = await store.clients.openDryRun(...args);
    open++;
    return { ...dryRun, close: () => dryRun.close().then(() => void open--) };
  };
  async function* source(): AsyncGenerator<SourceRow> {
    yield { line: 2, cells: row({ email: 'a@x.example' }) };
    expect(open).toBe(1);
    throw new Error('the line went dead');
  }
  const deps = { ...store, clients: { ...store.clients, openDryRun }, clock };
  const run = importClients(deps, { workspaceId, actor: TESTER }, source(), {
    origin: ORIGIN,
    dryRun: true,
    onReject: () => {},
  });
  await expect(run).rejects.toThrow('the line went dead');
  expect(open).toBe(0);
});

async function exportOf(store: Store, workspaceId: number): Promise<string> {
  const pieces = await Array.fromAsync(exportClients(store, workspaceId, {}), (clients) =>
    exportLines('ndjson', clients),
  );
  return exportHeader('ndjson') + pieces.join('');
}

test('clients exported from production can be imported unchanged into the sandbox and into another account', async () => {
  const { store, accountId, workspaceId, run } = await openFirm();
  await run(NORTH_AND_SOUTH);
  await addClient(
    { ...store, clock },
    { workspaceId, actor: TESTER },
    {
      email: 'c@x.example',
      name: 'Cat',
      type: 'company',
      groupName: 'North',
    },
  );
  const exported = await exportOf(store, workspaceId);
  const rows = exported
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SourceRow['cells']);
  expect(rows).toHaveLength(3);

  const sandbox = await store.accounts.workspaceId(accountId, 'sandbox');
  const { workspaceId: elsewhere } = await aWorkspace(store, clock, 'owner@other.example');
  for (const into of [sandbox, elsewhere]) {
    // The result is the same as in an installation in which no other workspace has these references.
    const added = { inserted: 3, updated: 0, unchanged: 0, statusChanges: [], rejected: 0, rejections: [] };
    expect(await run(rows, { into, dryRun: true })).toMatchObject(added);
    expect(await run(rows, { into })).toMatchObject(added);
    expect(await exportOf(store, into)).toBe(exported);
  }

  // From then on, changes to one do not affect the others.
  await run([row({ reference_id: B, email: 'moved@x.example' })], { into: elsewhere });
  expect(await exportOf(store, workspaceId)).toBe(exported);
  expect((await findClient(store, elsewhere, B)).email).toBe('moved@x.example');
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a file that adds clients and makes older ones inactive leaves every list counted, however many they are', async () => {
  const { store, workspaceId, run } = await openFirm();
  const older = Array.from({ length: 400 }, (_, index) => ({
    email: `c${index}@mail.example`,
    client_name: 'Ada',
    client_type: 'company',
    group_name: 'North',
    created_at: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
  }));
  const inactive = (remainder: number) =>
    older.filter((_, index) => index % 2 === remainder).map((row) => ({ ...row, client_status: 'inactive' }));
  await run(older);
  await run(inactive(0));
  await run([...inactive(1), { ...older[0], email: 'new@mail.example', created_at: '2026-01-01T00:00:00.000Z' }]);
  const { totalCount } = await store.clients.read(workspaceId, { clientStatus: 'inactive' }, { offset: 0, limit: 1 });
  expect(totalCount).toBe(400);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a dry run and an import tell how many statuses of clients change, and leave them alone if they are to be kept', async () => {
  const { store, workspaceId, run } = await openFirm();
  const now = (reference_id: string, request_status: string, client_status = 'active') =>
    row({ reference_id, email: `${reference_id}@mail.example`, request_status, client_status });
  await run([now(A, 'declined'), now(B, 'completed', 'inactive')]);
  const old = [now(A, 'pending'), now(B, 'pending'), now(C, 'accepted')];
  const counts = { inserted: 1, updated: 2, unchanged: 0 };
  const statusChanges = [
    { field: 'request_status', from: 'declined', to: 'pending', rows: 1, lines: [2] },
    { field: 'request_status', from: 'completed', to: 'pending', rows: 1, lines: [3] },
    { field: 'client_status', from: 'inactive', to: 'active', rows: 1, lines: [3] },
  ];
  expect(await run(old, { dryRun: true })).toMatchObject({ ...counts, statusChanges });
  const kept = { inserted: 1, updated: 0, unchanged: 2, statusChanges: [] };
  for (const dryRun of [true, false]) expect(await run(old, { dryRun, keepsStatus: true })).toMatchObject(kept);
  const clients = (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat();
  expect(clients.map(({ requestStatus, status }) => [requestStatus, status])).toEqual([
    ['declined', 'active'],
    ['completed', 'inactive'],
    ['accepted', 'active'],
  ]);
  expect(await run(old)).toMatchObject({ updated: 2, unchanged: 1, statusChanges });
});

test('a dry run and an import tell between which groups clients move, and which groups are made anew', async () => {
  const { store, workspaceId, run } = await openFirm();
  const inGroup = (reference_id: string, group_name: string, email = `${reference_id}@mail.example`) =>
    row({ reference_id, email, group_name });
  const file = [inGroup(A, 'North'), inGroup(B, 'North'), inGroup(C, 'West')];
  const made = { moves: [], otherMoves: 0, newGroups: ['North', 'West'], otherNewGroups: 0 };
  for (const dryRun of [true, false]) expect(await run(file, { dryRun })).toMatchObject({ groupChanges: made });
  await renameGroup({ ...store, clock }, { workspaceId, actor: TESTER }, 'North', 'South');
  const moves = [{ from: 'South', to: 'North', rows: 2, lines: [2, 3] }];
  const moved = { updated: 2, unchanged: 1, groupChanges: { ...made, moves, newGroups: ['North'] } };
  expect(await run(file, { dryRun: true })).toMatchObject(moved);
  expect(await run(file)).toMatchObject(moved);
  expect(await run(file)).toMatchObject({ unchanged: 3, groupChanges: { ...made, newGroups: [] } });
});

test('a dry run and an import tell which rows add a client although a client of another group has its email', async () => {
  const { store, run } = await openFirm();
  const person = (name: string, group_name: string, external_id?: string) =>
    row({ email: `${name}@mail.example`, group_name, ...(external_id && { external_id }) });
  const both = async (file: SourceRow['cells'][], told: Partial<ImportSummary>) => {
    for (const rowsAtOnce of [1, 1000]) expect(await run(file, { dryRun: true, rowsAtOnce })).toMatchObject(told);
    expect(await run(file)).toMatchObject(told);
  };
  const none = { rows: 0, lines: [] };
  await both([person('ada', 'North'), person('bo', 'North', 'B')], { inserted: 2, emailsElsewhere: none });
  // Another group by mistake. Letter case makes no other email, and nobody is added twice to one group.
  const mistyped = [person('Ada', 'Nroth'), person('cy', 'Nroth'), person('ada', 'Nroth'), person('bo', 'North')];
  await both(mistyped, { inserted: 2, unchanged: 1, updated: 1, emailsElsewhere: { rows: 1, lines: [2] } });
  await both(mistyped, { inserted: 0, emailsElsewhere: none });
  // What earlier rows of the file have done counts: they add clients, and give clients that they recognise by an id other emails.
  const again = [person('dee', 'North'), person('dee', 'South'), person('bob', 'North', 'B'), person('bo', 'South')];
  await both(again, { inserted: 3, updated: 1, emailsElsewhere: { rows: 1, lines: [3] } });
  const back = [person('bo', 'North', 'B'), person('bo', 'West')];
  await both(back, { inserted: 1, emailsElsewhere: { rows: 1, lines: [3] } });
  // The clients of others are nobody's business.
  const { workspaceId: into } = await aWorkspace(store, clock, 'other@firm.example');
  expect(await run([person('eve', 'North')], { into })).toMatchObject({ inserted: 1 });
  await both([person('eve', 'South')], { inserted: 1, emailsElsewhere: none });
  const many = Array.from({ length: 25 }, (_, index) => person('ada', `Group ${index}`));
  await both(many, { inserted: 25, emailsElsewhere: { rows: 25, lines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11] } });
});

test.each<[string, [SourceRow['cells'], SourceRow['cells']]]>([
  [
    'a row with a reference has taken the email from its client',
    [{ reference_id: A, email: 'new@x.example' }, { email: 'a@x.example' }],
  ],
  [
    'a row with a reference has taken the email from its client, and the next one has a reference, too',
    [
      { reference_id: A, email: 'new@x.example' },
      { reference_id: C, email: 'a@x.example' },
    ],
  ],
  [
    'a row with an external id has taken the email from its client',
    [{ external_id: 'E1', email: 'new@x.example' }, { email: 'a@x.example' }],
  ],
  [
    'a row with a reference has taken the external id from its client',
    [
      { reference_id: A, email: 'a@x.example', external_id: 'E2' },
      { external_id: 'E1', email: 'b@x.example' },
    ],
  ],
])(
  'they also tell it of a row that would have found its client, had an earlier row not changed that one: %s',
  async (_how, cells) => {
    const { run } = await openFirm();
    await run([
      row({ reference_id: A, email: 'a@x.example', external_id: 'E1' }),
      row({ email: 'a@x.example', group_name: 'South' }),
      row({ email: 'b@x.example', group_name: 'South' }),
    ]);
    const told = { inserted: 1, updated: 1, emailsElsewhere: { rows: 1, lines: [3] } };
    for (const rowsAtOnce of [1, 1000]) {
      expect(await run(cells.map(row), { dryRun: true, rowsAtOnce })).toMatchObject(told);
    }
    expect(await run(cells.map(row))).toMatchObject(told);
  },
);

test('a dry run and an import tell which rows change a client that an earlier row of the file has added or changed', async () => {
  const { run } = await openFirm();
  const both = async (file: SourceRow['cells'][], told: Partial<ImportSummary>, keepsStatus = false) => {
    for (const rowsAtOnce of [1, 1000]) {
      expect(await run(file, { dryRun: true, rowsAtOnce, keepsStatus })).toMatchObject(told);
    }
    expect(await run(file, { rowsAtOnce: 2, keepsStatus })).toMatchObject(told);
  };
  const none = { rows: 0, lines: [] };
  const anna = row({ external_id: 'X1', email: 'anna@two.example', client_name: 'Anna', request_status: 'completed' });
  const bert = row({ external_id: 'X1', email: 'bert@two.example', client_name: 'Bert', request_status: 'pending' });
  // Two people who have the same id by mistake, and by their email within the group. Who is repeated as they are is not replaced.
  const cy = row({ email: 'cy@mail.example', client_name: 'Cy' });
  const other = { ...cy, client_name: 'Cyril' };
  const file = [anna, bert, cy, cy, { ...other, group_name: 'Elsewhere' }, other];
  await both(file, { inserted: 3, updated: 2, unchanged: 1, repeats: { rows: 2, lines: [3, 7] } });
  // Clients of earlier imports are nobody of this file, until one of its rows changes them.
  await both([other, bert], { unchanged: 2, repeats: none });
  await both([cy, bert], { updated: 1, unchanged: 1, repeats: none });
  // Also where a row makes them again what they were.
  await both([other, cy, other], { updated: 3, repeats: { rows: 2, lines: [3, 4] } });
  await both([{ ...other, request_status: 'declined' }, other], { unchanged: 2, repeats: none }, true);
});

test('a dry run and an import tell which rows give the client of an id another email, also if an earlier row added it', async () => {
  const { run } = await openFirm();
  const person = (external_id: string, email: string) => row({ external_id, email });
  const file = [person('1', 'one@mail.example'), person('1', 'two@mail.example'), person('2', 'three@mail.example')];
  const told = { inserted: 2, updated: 1, emailChanges: { rows: 1, lines: [3] } };
  expect(await run(file, { dryRun: true })).toMatchObject(told);
  expect(await run(file)).toMatchObject(told);
  // Other letters are no other email, and of many rows the first are named.
  const spelled = [person('2', 'Three@mail.example')];
  expect(await run(spelled)).toMatchObject({ updated: 1, emailChanges: { rows: 0, lines: [] } });
  const many = Array.from({ length: 25 }, (_, index) => person('2', `new${index}@mail.example`));
  const lines = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  expect(await run(many)).toMatchObject({ updated: 25, emailChanges: { rows: 25, lines } });
});
