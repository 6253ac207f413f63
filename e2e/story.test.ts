import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { freePort } from './free-port.ts';
import { Program } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

interface CreatedKey {
  key_id: string;
  api_key: string;
}

async function firm(program: Program): Promise<void> {
  await program.json(
    ['account', 'create', '--name', 'Firm', '--email', OWNER, '--password-stdin'],
    'a long enough password\n',
  );
}

function createKey(program: Program, environment: string): Promise<CreatedKey> {
  return program.json(['key', 'create', '--account', OWNER, '--environment', environment, '--name', 'test']);
}

test('the whole story: account, key, token, list, revocation and 401, while the service keeps running', async () => {
  const program = new Program();
  const service = await program.serve();
  await firm(program);
  const { key_id, api_key } = await createKey(program, 'sandbox');
  await program.json(['sample', '--account', OWNER, '--environment', 'sandbox', '--clients', '120']);

  // With fetch this time, to see the envelope, which the client package unwraps.
  const exchanged = await fetch(`${service.sandbox}/api/v1/generate-access-token/`, {
    headers: { 'api-key': api_key },
  });
  expect(await exchanged.json()).toEqual({
    status_code: 200,
    message: 'Success',
    data: { access_token: expect.any(String), expires_in: 3600 },
  });
  const token = (await exchange(service.sandbox, api_key)).data.access_token;

  const everyone = await list(service.sandbox, token);
  expect(everyone).toMatchObject({ status: 200, data: { total_count: 120, total_pages: 12 } });
  const [newest] = everyone.data.results;
  const byEmail = await list(service.sandbox, token, { clientEmail: newest?.email.toUpperCase() ?? '' });
  expect(byEmail.data).toMatchObject({ total_count: 1, results: [newest] });

  expect(await exchange(service.production, api_key)).toMatchObject({ status: 401 });
  expect(await list(service.production, token)).toMatchObject({ status: 401 });

  await program.json(['key', 'revoke', key_id]);
  await expect.poll(async () => (await list(service.sandbox, token)).status, { timeout: 1000 + 10_000 }).toBe(401);
  expect((await list(service.sandbox, token)).message).toMatch(/^Access token has been revoked/);
  expect((await exchange(service.sandbox, api_key)).message).toBe('Invalid API key: it has been revoked.');

  expect((await program.json<{ ok: boolean }>(['doctor'])).ok).toBe(true);
  expect(await service.stop()).toBe(0);
});

test('production and sandbox of one account are separate', async () => {
  const program = new Program();
  await createTestAccount(program);
  const service = await program.serve();
  for (const [environment, clients] of [
    ['production', '3'],
    ['sandbox', '5'],
  ] as const) {
    await program.json(['sample', '--account', OWNER, '--environment', environment, '--clients', clients]);
    const { api_key } = await createKey(program, environment);
    const { data } = await exchange(service[environment], api_key);
    expect((await list(service[environment], data.access_token)).data.total_count).toBe(Number(clients));
  }
});

test('the first start with --demo prints commands that work when pasted, and no log of them; the second creates nothing', async () => {
  const program = new Program({ ROLLCALL_SANDBOX_PORT: String(await freePort()) });
  const first = await program.serveWithText(['--demo']);
  const lines = first.output.split('\n').filter((line) => /^(TOKEN=|curl )/.test(line));
  expect(lines).toHaveLength(2);
  const answer = JSON.parse(execFileSync('bash', ['-c', lines.join('\n')], { encoding: 'utf8' }));
  expect(answer).toMatchObject({ status_code: 200, data: { page_limit: 3 } });
  expect(answer.data.results).toHaveLength(3);
  expect(first.output).toMatch(/password {4}\S{15,}/);
  expect(first.log()).toBe('');

  await first.stop();
  const second = await program.serveWithText(['--demo']);
  expect(second.output).not.toMatch(/rc_sandbox_/);
  expect(second.output).toContain('npx rollcall key create');
  expect(second.output).toContain('npx rollcall member reset demo@rollcall.example');
  expect(await program.json(['account', 'list'])).toHaveLength(1);
});

test('acknowledged changes are kept after kill -9, and old tokens still work', async () => {
  const program = new Program();
  const { api_key } = (await createTestAccount(program)).key;
  const before = await program.serve();
  await program.json(['sample', '--account', OWNER, '--environment', 'production', '--clients', '40']);
  const { data } = await exchange(before.production, api_key);
  await before.stop('SIGKILL');

  const after = await program.serve();
  expect(await list(after.production, data.access_token)).toMatchObject({ status: 200, data: { total_count: 40 } });
});

test.each([['SIGTERM'], ['SIGINT']] as const)(
  'after %s, requests in flight are completed and the exit code is 0',
  async (signal) => {
    const program = new Program();
    const { api_key } = (await createTestAccount(program)).key;
    const service = await program.serve();
    const { data } = await exchange(service.production, api_key);
    const answers = Array.from({ length: 50 }, () => list(service.production, data.access_token, { pageLimit: 1000 }));
    await Promise.race(answers);
    expect(await service.stop(signal)).toBe(0);
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
  },
);

test.each([
  [{ ROLLCALL_PRODUCTION_PORT: 'eighty' }, 'ROLLCALL_PRODUCTION_PORT must be a whole number from 0 to 65535'],
  [{ ROLLCALL_TOKEN_TTL_SECONDS: '59' }, 'ROLLCALL_TOKEN_TTL_SECONDS must be a whole number from 60 to 86400'],
  [{ ROLLCALL_LOG_LEVEL: 'loud' }, 'ROLLCALL_LOG_LEVEL must be one of'],
  [{ ROLLCALL_DATABASE_URL: 'mysql://x' }, 'ROLLCALL_DATABASE_URL must be'],
  [{ ROLLCALL_HOST: '203.0.113.7' }, 'ROLLCALL_HOST must be an address of this machine'],
])('a wrong setting %j stops the start with one line', async (environment, message) => {
  const program = new Program(environment);
  const { code, stdout, stderr } = await program.run(['serve']);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^rollcall: .+\n$/);
  expect(stderr).toContain(message);
});

test('a port in use stops the start with one line', async () => {
  const port = await freePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  const { code, stderr } = await new Program({ ROLLCALL_SANDBOX_PORT: String(port) }).run(['serve']);
  blocker.close();
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `rollcall: Port ${port} on 127.0.0.1 is already in use; set ROLLCALL_SANDBOX_PORT to a free one.`,
  );
});

test.each([
  [['--help'], 0],
  [['key', 'create', '--help'], 0],
  [['nonsense'], 2],
  [['serve', '--only', 'kitchen'], 2],
  [['key', 'create', '--account', OWNER], 2],
  [['sample', '--account', OWNER, '--environment', 'sandbox', '--clients', '-1'], 2],
  [['key', 'revoke', 'key_unknown'], 1],
  [['key', 'list', '--account', 'nobody@firm.example'], 1],
  [['account', 'create', '--name', 'Firm', '--email', 'not-an-email'], 1],
])('rollcall %j exits with %d', async (args, code) => {
  const program = new Program();
  if (code === 1) await createTestAccount(program);
  expect((await program.run(args)).code).toBe(code);
});
