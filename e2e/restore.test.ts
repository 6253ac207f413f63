import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { exchange } from './api.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
/** One second is promised. The rest is a margin for a busy machine. */
const SOON = { timeout: 10_000, interval: 50 };

interface Page {
  data?: { results: { client_name: string }[] };
}

async function serve(environment: Record<string, string> = {}) {
  const program = new Program(environment);
  const { key } = await createTestAccount(program);
  const service = await program.serve(['--only', 'production']);
  const add = (name: string) =>
    program.json(['client', 'add', '--email', `${name}@mail.example`, '--name', name, '--group', 'G', ...WHERE]);
  return { program, service, key, add, ...(await asking(service, key)) };
}

async function asking(service: Serving, key: { api_key: string }) {
  const { data } = await exchange(service.production, key.api_key);
  const ask = async (tag = '"none"') => {
    const headers = { authorization: `Bearer ${data.access_token}`, 'if-none-match': tag };
    const response = await fetch(`${service.production}/api/v1/clients-list/`, { headers });
    const { data: page } = response.status === 200 ? ((await response.json()) as Page) : {};
    const names = page?.results.map((client) => client.client_name).join();
    return { status: response.status, names, tag: response.headers.get('etag') ?? '' };
  };
  /** Opens enough connections that every worker gets some. */
  const askOften = (tag?: string) => Promise.all(Array.from({ length: 12 }, () => ask(tag)));
  return { ask, askOften };
}

test('after the file was replaced by a backup, every worker refuses until a restart, and no old ETag matches again', async () => {
  const { program, service, key, askOften, add } = await serve({ ROLLCALL_WORKERS: '2' });
  const file = join(program.folder, 'data', 'rollcall.db');
  await add('Ada');
  const live = new DatabaseSync(file);
  await backup(live, join(program.folder, 'saved.db'));
  live.close();
  await add('Bob');
  const old = await askOften();
  expect(new Set(old.map(({ names }) => names))).toEqual(new Set(['Bob,Ada']));

  renameSync(join(program.folder, 'saved.db'), file);
  const statuses = async () => [...new Set((await askOften(old[0]?.tag)).map(({ status }) => status))];
  await expect.poll(statuses, SOON).toEqual([503]);
  expect(await service.stop()).toBe(0);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 1 } });

  const restarted = await asking(await program.serve(['--only', 'production']), key);
  expect(await restarted.ask(old[0]?.tag)).toMatchObject({ status: 200, names: 'Ada' });
  await add('Cyd');
  await expect.poll(() => restarted.ask(old[0]?.tag), SOON).toMatchObject({ status: 200, names: 'Cyd,Ada' });
});

test('rollcall epoch renew invalidates every earlier ETag on a running service', async () => {
  const { program, ask, add } = await serve();
  await add('Ada');
  const { tag } = await ask();
  expect((await ask(tag)).status).toBe(304);
  const { epoch } = await program.json<{ epoch: string }>(['epoch', 'renew']);
  expect(epoch).toMatch(/^[0-9a-z]{10,}$/);
  await expect.poll(() => ask(tag), SOON).toMatchObject({ status: 200, names: 'Ada' });
  expect((await ask()).tag).toContain(epoch);
  const { code, stdout } = await program.run(['epoch', 'renew']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Started a new epoch of the database: \w+\.\n$/),
  });
});
