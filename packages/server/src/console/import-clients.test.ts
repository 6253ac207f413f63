import { expect, test } from 'vitest';
import { openTestConsole } from '../testing/test-console.ts';

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

test('an import is on record from its first piece on, also when its browser tab is closed half-way', async () => {
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
