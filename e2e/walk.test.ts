import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, Rollcall } from '../packages/client/src/index.ts';
import { Program } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];

test('a walk returns every client that exists throughout exactly once, while other processes add, change and erase', async () => {
  const program = new Program();
  const { api_key } = (await createTestAccount(program, { clients: 700 })).key;
  const service = await program.serve();
  const rollcall = new Rollcall({ apiKey: api_key, baseUrl: service.production });
  const everybody = await Array.fromAsync(rollcall.clients.list());
  expect(everybody).toHaveLength(700);
  const leaving = everybody.filter((_, index) => index % 100 === 50);

  const file = join(program.folder, 'more.csv');
  writeFileSync(file, moreClients(everybody));
  const meanwhile = (async () => {
    const adding = program.start(['import', file, ...WHERE]);
    for (const { reference_id } of leaving) await program.json(['client', 'erase', reference_id, ...WHERE]);
    expect(await adding.exited).toBe(0);
  })();
  const seen: Client[] = [];
  for await (const client of rollcall.clients.list({ pageLimit: 5 })) {
    seen.push(client);
    if (seen.length % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await meanwhile;

  const gone = new Set(leaving.map((client) => client.reference_id));
  const staying = everybody.map((client) => client.reference_id).filter((reference) => !gone.has(reference));
  const counts = Map.groupBy(seen, (client) => client.reference_id);
  expect(staying.filter((reference) => counts.get(reference)?.length !== 1)).toEqual([]);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true });
});

/** New clients with various creation times, and another status for some existing ones. */
function moreClients(everybody: Client[]): string {
  const lines = Array.from({ length: 6000 }, (_, index) => {
    const time = new Date(Date.now() - ((index * 7919) % 6000) * 5_000_000).toISOString();
    return `new${index}@mail.example,New ${index},company,Group ${index % 5},pending,${time}`;
  });
  const changed = everybody
    .filter((_, index) => index % 9 === 0)
    .map((client) => `${client.email},Changed,${client.client_type},${client.group_name},declined,`);
  return ['email,client_name,client_type,group_name,request_status,created_at', ...lines, ...changed].join('\n');
}
