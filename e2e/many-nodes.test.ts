import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { exchange, list } from './api.ts';
import { addClients, asAdmin, openNodes } from './nodes.ts';
import { pause } from './pause.ts';
import { Program } from './program.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

/** One second is promised. The rest is a margin for a busy machine. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 1000 + 10_000, interval: 20 }).toBe(true);
}

test('a change by one node or by a command is visible on every node within a second', async () => {
  const { program, nodes, key, token } = await openNodes(server, 2);
  const statuses = async () =>
    (await Promise.all(nodes.map((node) => list(node.production, token)))).map((a) => a.status);
  const totals = async () =>
    (await Promise.all(nodes.map((node) => list(node.production, token)))).map(({ data }) => data.total_count);
  expect(await totals()).toEqual([20, 20]);

  await addClients(program, 15, 2);
  await until(async () => (await totals()).every((total) => total === 35));

  await program.json(['key', 'revoke', key.key_id]);
  await until(async () => (await statuses()).every((status) => status === 401));
  for (const node of nodes) expect(await exchange(node.production, key.api_key)).toMatchObject({ status: 401 });
});

test('a revocation takes effect in time even if the notification is lost', async () => {
  const { program, databaseUrl, nodes, key, token } = await openNodes(server, 2);
  const admin = await asAdmin(databaseUrl);
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'rollcall changes' and datname = current_database()`;
  const cutting = setInterval(() => admin.query(cut).catch(() => {}), 50);
  await program.json(['key', 'revoke', key.key_id]);
  await until(async () => {
    const answers = await Promise.all(nodes.map((node) => list(node.production, token)));
    return answers.every(({ status }) => status === 401);
  });
  clearInterval(cutting);
});

test('the signing key is rotated under load without a single wrong refusal', async () => {
  const { program, nodes, key, token } = await openNodes(server, 2);
  const kids = nodes.map(() => new Set<string>());
  const refused: unknown[] = [];
  let rotated: { kid: string } | undefined;
  const everybodySignsWith = (kid: string | undefined) => kid !== undefined && kids.every((seen) => seen.has(kid));
  const deadline = performance.now() + 90_000;

  /** Exchanges the key at one node and uses the token at once at every node. */
  const use = async (index: number) => {
    while (!everybodySignsWith(rotated?.kid) && performance.now() < deadline) {
      const { data } = await exchange(nodes[index]?.production ?? '', key.api_key);
      kids[index]?.add(String(decodeProtectedHeader(data.access_token).kid));
      const answers = await Promise.all(nodes.map((node) => list(node.production, data.access_token)));
      refused.push(...answers.filter(({ status }) => status !== 200));
      await pause();
    }
  };
  const using = Promise.all(nodes.map((_, index) => use(index)));
  rotated = await program.json<{ kid: string }>(['signing-key', 'rotate']);
  await using;
  expect(refused).toEqual([]);
  expect(everybodySignsWith(rotated.kid)).toBe(true);
  expect(kids.map((seen) => seen.size)).toEqual([2, 2]);

  const keys = await program.json<{ kid: string; signs: boolean }[]>(['signing-key', 'list']);
  expect(
    keys.map(({ signs }) => signs),
    'earlier, current, next',
  ).toEqual([false, true, false]);
  await program.json(['signing-key', 'retire', keys[0]?.kid ?? '']);
  await until(async () => {
    const answers = await Promise.all(nodes.map((node) => list(node.production, token)));
    return answers.every(({ status }) => status === 401);
  });
});

test('a key is rolled under load without a single wrong refusal, and its old secret ends on every node', async () => {
  const { program, nodes, key, token } = await openNodes(server, 2);
  const addresses = nodes.map((node) => node.production);
  const refused: unknown[] = [];
  const secrets = [key.api_key];
  let rollsBegun = 0;
  let isDone = false;
  /** Exchanges the newest secret on one node and uses the token on all of them at once. */
  const load = addresses.map(async (address) => {
    while (!isDone) {
      const rollsBefore = secrets.length - 1;
      const { data, ...answer } = await exchange(address, secrets[rollsBefore] ?? '');
      const answers = data ? await Promise.all(addresses.map((each) => list(each, data.access_token))) : [];
      // The second roll after a secret was made ends it, as it should.
      if (rollsBegun > rollsBefore + 1) continue;
      // A busy machine may answer 503, which refuses nobody: such a request is sent again.
      refused.push(...[answer, ...answers].filter(({ status }) => status !== 200 && status !== 503));
    }
  });
  for (let roll = 0; roll < 3; roll++) {
    rollsBegun++;
    const rolled = await program.json<{ api_key: string }>(['key', 'roll', key.key_id, '--overlap', '1h']);
    secrets.push(rolled.api_key);
  }
  isDone = true;
  await Promise.all(load);
  expect(refused).toEqual([]);

  await program.json(['key', 'end-old-secret', key.key_id]);
  await until(async () =>
    (await Promise.all(addresses.map((each) => list(each, token)))).every((a) => a.status === 401),
  );
  for (const address of addresses) {
    const statuses = await Promise.all(secrets.map(async (secret) => (await exchange(address, secret)).status));
    expect(statuses).toEqual([401, 401, 401, 200]);
  }
});

test('ten nodes may migrate the schema at the same time', async () => {
  const admin = await asAdmin(server.url());
  await admin.query('create database empty');
  const program = new Program({ ROLLCALL_DATABASE_URL: server.url('empty') });
  const runs = await Promise.all(Array.from({ length: 10 }, () => program.run(['migrate'])));
  for (const { code, stderr } of runs) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test.each([
  ['a wrong password', () => server.url('postgres', 'planted-secret'), /refuses the user name or the password\.$/],
  ['a missing database', () => server.url('missing', undefined), /missing does not exist; create it first\.$/],
  ['nothing there', () => 'postgres://u:planted-secret@127.0.0.1:1/x', /127\.0\.0\.1:1\/x cannot be reached/],
  ['no database', () => 'postgres://u:planted-secret@127.0.0.1:1', /^rollcall: ROLLCALL_DATABASE_URL must be/],
  ['nonsense', () => 'postgres://planted-secret:x:y:z/', /^rollcall: ROLLCALL_DATABASE_URL must be/],
])('%s stops the start with one line that does not reveal the secret', async (_what, url, message) => {
  const { code, stdout, stderr } = await new Program({ ROLLCALL_DATABASE_URL: url() }).run(['serve']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: .+\n$/);
  expect(stderr.trim()).toMatch(message);
  expect(stderr).not.toContain('planted-secret');
});

test('a read replica together with SQLite stops the start', async () => {
  const { code, stderr } = await new Program({ ROLLCALL_READ_DATABASE_URL: server.url() }).run(['serve']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: ROLLCALL_READ_DATABASE_URL must be .+\n$/);
});
