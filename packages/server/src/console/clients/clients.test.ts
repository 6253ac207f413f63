import { expect, test } from 'vitest';
import { openTestConsole } from '../../testing/test-console.ts';

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
