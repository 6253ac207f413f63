import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { Rollcall } from '../packages/client/src/index.ts';
import { exchange, list } from './api.ts';
import { timedRequest } from './nodes.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount } from './test-account.ts';

const HOUR = 3600;
const IMPORTED = 4000;
const FILE = [
  'email,client_name,client_type,group_name',
  ...Array.from({ length: IMPORTED }, (_, index) => `i${index}@mail.example,Client ${index},company,G`),
  '',
].join('\n');

/** A program whose clock can be moved while it runs, as an administrator or a time server does. Its timers go on as before. */
function programWithClock({ skip }: TestContext) {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (!library) skip('libfaketime is not installed here');
  const program = new Program({ ROLLCALL_RATE_LIMIT_API: '50/s,50' });
  const file = join(program.folder, 'clock');
  const moveTo = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  moveTo(0);
  Object.assign(program.environment, {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  return { program, moveTo };
}

function addClient(production: string, token: string, email: string) {
  return timedRequest(`${production}/api/v1/clients/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': email },
    body: JSON.stringify({ email, client_name: 'Ada', client_type: 'individual', group_name: 'G' }),
  });
}

test('when the clock is moved by an hour either way, nothing is lost or stuck, and no token lives for longer', async (context) => {
  const { program, moveTo } = programWithClock(context);
  let node: Serving = await program.serve(['--only', 'production']);
  const { production } = node;
  program.environment.ROLLCALL_PRODUCTION_PORT = new URL(production).port;
  const { key } = await createTestAccount(program, { clients: 20, scopes: ['clients:read', 'clients:write'] });
  const newToken = async () => (await exchange(production, key.api_key)).data.access_token;
  const statusOf = async (token: string) => (await list(production, token)).status;
  const added: string[] = [];
  const add = async (token: string) => {
    const email = `c${added.length}@mail.example`;
    added.push(email);
    expect(await addClient(production, token, email)).toMatchObject({ status: 201 });
    // The answer is repeated, whatever the clock says.
    for (const each of added) expect((await addClient(production, token, each)).status).toBe(201);
  };

  const early = await newToken();
  await add(early);
  moveTo(HOUR + 120);
  expect(await list(production, early)).toMatchObject({ status: 401, message: expect.stringMatching(/has expired/) });
  const late = await newToken();
  await add(late);
  expect(await statusOf(late)).toBe(200);

  moveTo(-HOUR);
  expect(await list(production, late)).toMatchObject({
    status: 401,
    message: expect.stringMatching(/issued in the future/),
  });
  const token = await newToken();
  await add(token);
  // Calls are counted by a clock of their own, so the caller's share comes back as before.
  await Promise.all(Array.from({ length: 60 }, () => statusOf(token)));
  await expect.poll(() => statusOf(token)).toBe(200);

  // A job whose process is killed goes on although its run ends in an hour by the new clock.
  moveTo(0);
  const present = await newToken();
  const { imports } = new Rollcall({ accessToken: present, baseUrl: production });
  const { import_id: id } = await imports.create(new Blob([FILE]), { fileName: 'clients.csv' });
  await expect.poll(async () => (await imports.get(id)).state).not.toBe('queued');
  await node.stop('SIGKILL');
  moveTo(-HOUR);
  node = await program.serve(['--only', 'production']);
  const rollcall = new Rollcall({ apiKey: key.api_key, baseUrl: production });
  expect(await rollcall.imports.wait(id)).toMatchObject({ state: 'completed', inserted: IMPORTED });

  moveTo(HOUR + 120);
  const clients = await Array.fromAsync(new Rollcall({ apiKey: key.api_key, baseUrl: production }).clients.list());
  expect(clients).toHaveLength(20 + added.length + IMPORTED);
  expect(clients).toEqual(clients.toSorted((a, b) => b.created_at.localeCompare(a.created_at)));
  expect(clients.map(({ email }) => email)).toEqual(expect.arrayContaining(added));
  expect(await node.stop()).toBe(0);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true });
});
