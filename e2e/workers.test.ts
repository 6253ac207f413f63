import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];

async function serveByTwo() {
  const program = new Program({ ROLLCALL_WORKERS: '2' });
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const key = await program.json<{ key_id: string; api_key: string }>(['key', 'create', ...WHERE, '--name', 'test']);
  const service = await program.serve();
  const { data } = await exchange(service.production, key.api_key);
  return { program, service, key, token: data.access_token as string };
}

/** Enough new connections that both workers get some. */
const askOften = (address: string, token: string) =>
  Promise.all(Array.from({ length: 12 }, () => list(address, token)));

test('two workers share the addresses, and a page after a change is never the old one in either', async () => {
  const { program, service, token } = await serveByTwo();
  for (let round = 1; round <= 5; round++) {
    await askOften(service.production, token);
    const client = ['--email', `c${round}@mail.example`, '--name', 'C', '--group', 'G'];
    await program.json(['client', 'add', ...client, ...WHERE]);
    for (const { data } of await askOften(service.production, token)) expect(data.total_count).toBe(round);
  }
  expect(await service.stop()).toBe(0);
});

test('a revoked key is refused by every worker within a second', async () => {
  const { program, service, key, token } = await serveByTwo();
  await program.json(['key', 'revoke', key.key_id]);
  const statuses = async () => new Set((await askOften(service.production, token)).map(({ status }) => status));
  await expect.poll(statuses, { timeout: 1000 + 10_000 }).toEqual(new Set([401]));
});

test('a worker that is killed is replaced, and callers only ever see whole answers', async () => {
  const { service, token } = await serveByTwo();
  const [victim] = childrenOf(service.process.pid ?? 0);
  process.kill(victim ?? 0, 'SIGKILL');
  await expect.poll(service.log).toMatch(/worker \d+ ended with SIGKILL; starting another/);
  await expect.poll(() => childrenOf(service.process.pid ?? 0).length).toBe(2);
  await expect.poll(async () => (await list(service.production, token)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
