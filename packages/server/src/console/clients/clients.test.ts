import { expect, test } from 'vitest';
import { openTestConsole } from '../../testing/test-console.ts';
import type { ChangedClientRecord, ClientRecord } from '../contract/clients/clients.ts';

const HEADER = 'email,client_name,client_type,group_name,created_at';

test('a change of the creation time alone is in the history, as a time', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const importWith = (created_at: string) =>
    browser.import('sandbox', `${HEADER}\nada@mail.example,Ada,individual,Retail,${created_at}\n`);
  await importWith('2025-05-01T08:00:00.000Z');
  expect((await importWith('2025-05-01')).import).toMatchObject({ updated: 1 });

  const { body } = await browser.get('/console/sandbox/clients');
  const [client] = (body.data?.results ?? []) as { reference_id: string }[];
  expect((await browser.get(`/console/sandbox/clients/${client?.reference_id}`)).body.data).toMatchObject({
    client: { created_at: '2025-05-01T00:00:00.000Z' },
    history: [
      {
        kind: 'changed',
        from: { created_at: '2025-05-01T08:00:00.000Z' },
        to: { created_at: '2025-05-01T00:00:00.000Z' },
      },
      { kind: 'added' },
    ],
  });
});

test('the answer to a change says how it can be undone, unless nothing was changed, and an undo comes to that change only', async () => {
  const browser = await (await openTestConsole()).owner();
  const rows = `${HEADER},request_status\nada@mail.example,Ada,individual,Retail,2025-05-01,pending\n`;
  await browser.import('sandbox', rows);
  const { body } = await browser.get('/console/sandbox/clients');
  const [client] = (body.data?.results ?? []) as ClientRecord[];
  if (!client) throw new Error('There is no client.');
  const { reference_id: id, group_token: _token, created_at: _time, ...seen } = client;
  const change = async (before: object, fields: object) => {
    const answer = await browser.send('PATCH', `/console/sandbox/clients/${id}`, { seen: before, change: fields });
    return answer.body.data as unknown as ChangedClientRecord;
  };
  const undo = async (version: number | null) =>
    (await browser.post('/console/sandbox/clients/changes/undo', { reference_ids: [id], version })).body.data;

  expect(await change(seen, { client_status: 'active' })).toMatchObject({ version: null });
  const completed = await change(seen, { request_status: 'completed' });
  const inactive = await change({ ...seen, request_status: 'completed' }, { client_status: 'inactive' });
  expect(await undo(completed.version), 'a later change').toMatchObject({
    changed: 0,
    refused: [{ reference_id: id }],
  });
  expect(await undo(inactive.version)).toMatchObject({ changed: 1 });
  expect((await browser.get(`/console/sandbox/clients/${id}`)).body.data).toMatchObject({
    client: { request_status: 'completed', client_status: 'active' },
  });
});
