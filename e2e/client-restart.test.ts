import { expect, test } from 'vitest';
import { Rollcall } from '../packages/client/src/index.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const CLIENTS = 300;

/** Restarts the service on the same port. `meanwhile` runs while it is down. */
async function restart(program: Program, before: Serving, signal: NodeJS.Signals, meanwhile = async () => {}) {
  await before.stop(signal);
  await meanwhile();
  program.environment.ROLLCALL_PRODUCTION_PORT = new URL(before.production).port;
  return program.serve(['--only', 'production']);
}

test('after a kill and a restart, a walk has lost and repeated no client, and a watch reports the changes that it missed', async () => {
  const program = new Program();
  const { api_key } = (await createTestAccount(program, { clients: CLIENTS })).key;
  const service = await program.serve(['--only', 'production']);

  let retries = 0;
  const onRetry = () => {
    retries++;
  };
  const { clients } = new Rollcall({ apiKey: api_key, baseUrl: service.production, onRetry });
  const everybody = await Array.fromAsync(clients.list(), ({ reference_id }) => reference_id);
  const [gone = ''] = everybody;
  const changes = clients.watch({}, { intervalMs: 20, includeExisting: true });
  for (const _existing of everybody) await changes.next();
  const missed = changes.next();

  const eraseAndAdd = async () => {
    await program.json(['client', 'erase', gone, ...WHERE]);
    await program.json(
      ['import', '-', ...WHERE],
      'email,client_name,client_type,group_name\nnew@mail.example,New,company,G\n',
    );
  };
  const seen: string[] = [];
  let back: Promise<Serving> | undefined;
  for await (const { reference_id } of clients.list({ pageLimit: 10 })) {
    seen.push(reference_id);
    if (seen.length === 100) back = restart(program, service, 'SIGKILL', eraseAndAdd);
    if (seen.length === 200 && back) back = restart(program, await back, 'SIGTERM');
  }
  expect(seen).toEqual(everybody);
  expect(retries).toBeGreaterThan(3);

  expect((await missed).value).toMatchObject({ type: 'removed', client: { reference_id: gone } });
  expect((await changes.next()).value).toMatchObject({ type: 'added', client: { email: 'new@mail.example' } });
  await changes.return();
  expect(await (await back)?.stop()).toBe(0);
});
