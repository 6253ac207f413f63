import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';
import { createTestAccount } from './test-account.ts';

test('an installation is moved from SQLite to PostgreSQL and continues with the same data', async () => {
  const server = await PostgresServer.start(['fsync=off']);
  onTestFinished(() => server.stop());
  const program = new Program();
  const before = await program.serve(['--only', 'production']);
  const { api_key } = (await createTestAccount(program, { clients: 300 })).key;
  const { data } = await exchange(before.production, api_key);
  const page = await list(before.production, data.access_token, { pageLimit: 300 });
  await before.stop();

  const moved = new Program({ ROLLCALL_DATABASE_URL: server.url() });
  const copied = await moved.run(['copy', '--from', program.databaseUrl]);
  expect(copied).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Copied and checked \d+ rows in \d+ tables\.\n$/),
  });
  expect(copied.stderr).toContain('copied 300 rows of clients\n');
  expect(copied.stderr).toContain('checked 300 rows of clients\n');
  expect(copied.stderr).toContain(
    'are encrypted with ROLLCALL_SECRET, which is not part of the copy. Keep a copy elsewhere.',
  );

  const after = await moved.serve(['--only', 'production']);
  expect(await list(after.production, data.access_token, { pageLimit: 300 })).toEqual(page);
  expect(await exchange(after.production, api_key)).toMatchObject({ status: 200 });
  expect(await moved.json(['doctor'])).toMatchObject({ ok: true });

  const again = await moved.run(['copy', '--from', program.databaseUrl]);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/^rollcall: The target is not empty/);
});

test.each([
  [['copy'], /--from and --to are the same database/],
  [['copy', '--from', 'sqlite:nothing.db'], /There is no Rollcall database at .*nothing\.db/],
  [['copy', '--to', 'mysql://planted-secret@host/x'], /--to must be/],
])('rollcall %j is refused with one line, and creates nothing', async (args, message) => {
  const program = new Program();
  const { code, stderr } = await program.run(args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: .+\n$/);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('planted-secret');
  expect(existsSync(join(program.folder, 'nothing.db'))).toBe(false);
});
