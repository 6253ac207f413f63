import { expect, test } from 'vitest';
import { openTestConsole } from '../../testing/test-console.ts';
import { CHECK_ROWS_MAX, IMPORT_ROWS_MAX } from '../contract/clients/clients.ts';

const row = (line: number, fields: object = {}) => ({
  line,
  cells: {
    email: `client${line}@mail.example`,
    client_name: `Client ${line}`,
    client_type: 'company',
    group_name: 'North',
    ...fields,
  },
});

async function openImport() {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const send = (rows: object[], fields: object = {}) =>
    owner.post('/console/production/imports', {
      rows,
      dry_run: false,
      file_name: 'clients.csv',
      import_id: 'one-import-of-a-file',
      ...fields,
    });
  const onRecord = async () => (await owner.get('/console/activity?kind=client')).body.data?.results;
  return { send, onRecord, clock: testConsole.clock };
}

test('an import is on record from its first piece, even when its browser tab is closed before the end', async () => {
  const { send, onRecord, clock } = await openImport();
  expect((await send([row(2), row(3), row(4)])).body.data).toMatchObject({ inserted: 3 });
  const entry = {
    action: 'client.imported',
    member: 'owner@firm.example',
    subject: 'clients.csv',
    environment: 'production',
  };
  expect(await onRecord()).toMatchObject([{ ...entry, clients: 3 }]);

  await send([row(4), row(5)]);
  expect(await onRecord(), 'one entry, which grows').toMatchObject([{ ...entry, clients: 4 }]);
  clock.advance(1);
  await send([row(6)], { import_id: 'another-import-of-it' });
  expect(await onRecord()).toMatchObject([{ clients: 1 }, { clients: 4 }]);
});

test('an import that changes nothing, and a dry run, are not on record', async () => {
  const { send, onRecord } = await openImport();
  await send([row(2)], { dry_run: true });
  await send([row(2, { client_type: 'robot' })]);
  expect(await onRecord()).toEqual([]);
});

const cellsOf = (index: number, group_name = 'North') => ({
  email: `c${index}@x.example`,
  client_name: 'Ada',
  client_type: 'company',
  group_name,
});
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ line: index + 2, cells: cellsOf(index) }));

async function openFirm() {
  const browser = await (await openTestConsole()).owner();
  return (sent: object[], dryRun: boolean) =>
    browser.post('/console/sandbox/imports', {
      rows: sent,
      dry_run: dryRun,
      file_name: 'clients.csv',
      import_id: 'an-import-of-ours',
    });
}

test('a dry run of many rows at once counts those that repeat earlier ones, and changes nothing', async () => {
  const send = await openFirm();
  const first = rows(3 * IMPORT_ROWS_MAX);
  const all = [...first.map(({ cells }) => cells), ...first.map(({ cells }) => cells), cellsOf(0, 'South')];
  const file = all.map((cells, index) => ({ line: index + 2, cells }));
  for (let time = 0; time < 2; time++) {
    const { status, body } = await send(file, true);
    expect(status).toBe(200);
    expect(body.data).toEqual({ inserted: first.length + 1, updated: 0, unchanged: first.length, rejected: [] });
  }
});

test('an import accepts few rows at once, and a dry run as many as fit', async () => {
  const send = await openFirm();
  const tooMany = (max: number) => ({ status: 400, body: { message: `rows must have at most ${max} entries.` } });
  expect(await send(rows(IMPORT_ROWS_MAX + 1), false)).toMatchObject(tooMany(IMPORT_ROWS_MAX));
  expect(await send(Array(CHECK_ROWS_MAX + 1).fill({ line: 2, cells: {} }), true)).toMatchObject(
    tooMany(CHECK_ROWS_MAX),
  );
  expect(await send(rows(IMPORT_ROWS_MAX), false)).toMatchObject({ status: 200 });
});
