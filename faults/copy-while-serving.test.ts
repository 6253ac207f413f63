import { expect, onTestFinished, test } from 'vitest';
import { exchange, list } from '../e2e/api.ts';
import { Caller } from '../e2e/callers.ts';
import { NO_RATE_LIMITS, Program } from '../e2e/program.ts';
import { createTestAccount } from '../e2e/test-account.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';

const CLIENTS = Number(process.env.ROLLCALL_TEST_CLIENTS ?? 1_000_000);
const CALLERS = 4;
const FILTERS = ['', '&request_status=completed', '&client_type=company', '&page_no=777'];

test('a large installation is copied from SQLite to PostgreSQL while the service answers reads, and none fails', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.stop());
  const program = new Program({ ...NO_RATE_LIMITS });
  const { key } = await createTestAccount(program, { clients: CLIENTS, groups: 40 });
  const before = await program.serve(['--only', 'production']);
  const { data } = await exchange(before.production, key.api_key);
  const token = data.access_token;
  const callers = Array.from({ length: CALLERS }, (_, index) => {
    const url = `${before.production}/api/v1/clients-list/?page_limit=100${FILTERS[index % FILTERS.length]}`;
    return new Caller(url, { authorization: `Bearer ${token}` }).start();
  });

  const moved = new Program({ ...NO_RATE_LIMITS, ROLLCALL_DATABASE_URL: server.url() });
  const startedAt = performance.now();
  const { code, stdout, stderr } = await moved.run(['copy', '--from', program.databaseUrl]);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  expect(code, stderr).toBe(0);
  await Promise.all(callers.map((caller) => caller.stop()));
  const answers = callers.flatMap((caller) => caller.answers);
  process.stdout.write(`${stdout.trim()} It took ${seconds} s, and ${answers.length} reads were answered meanwhile.\n`);
  expect(callers.flatMap((caller) => caller.lost)).toEqual([]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

  const after = await moved.serve(['--only', 'production']);
  for (const page of [{}, { requestStatus: 'completed' }, { clientType: 'company', pageNo: 777 }] as const) {
    expect(await list(after.production, token, page)).toEqual(await list(before.production, token, page));
  }
  expect((await list(after.production, token)).data.total_count).toBe(CLIENTS);
  expect(await moved.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: CLIENTS } });
});
