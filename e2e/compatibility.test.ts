import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateToSchema } from '../packages/server/src/testing/migrate-to-schema.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { onDatabase } from '../packages/server/src/testing/raw-database.ts';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});

afterAll(() => server.stop());

const OWNER = 'owner@firm.example';
const WHERE = ['--account', OWNER, '--environment', 'production'];

const DATABASES: Record<string, () => Promise<string>> = {
  SQLite: async () => `sqlite:${join(new Program().folder, 'rollcall.db')}`,
  PostgreSQL: async () => {
    const name = `rollcall_${randomUUID().replaceAll('-', '')}`;
    const admin = await server.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    return server.url(name);
  },
};

async function expectRefused(program: Program, command: string, message: RegExp): Promise<void> {
  const { code, stderr } = await program.run(command.split(' '));
  expect(code, `${command}: ${stderr}`).toBe(1);
  expect(stderr, command).toMatch(/^rollcall: [^\n]+\n$/);
  expect(stderr, command).toMatch(message);
}

test.each(Object.keys(DATABASES))('on %s, a newer schema says which programs may still use it', async (engine) => {
  const url = (await DATABASES[engine]?.()) ?? '';
  const program = new Program({ ROLLCALL_DATABASE_URL: url });
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER]);
  const key = await program.json<{ api_key: string }>(['key', 'create', ...WHERE, '--name', 'test']);
  await onDatabase(url, `insert into kysely_migration (name, timestamp) values ('0099-future', '')`);

  // While the schema allows this version, a node starts, serves and writes. Only commands that must know all tables refuse.
  const service = await program.serve(['--only', 'production']);
  const { data } = await exchange(service.production, key.api_key);
  const status = async () => (await list(service.production, data.access_token)).status;
  expect(await status()).toBe(200);
  await program.json(['sample', ...WHERE, '--clients', '3']);
  await expectRefused(program, 'doctor', /has the schema of a newer version of Rollcall/);
  await expectRefused(program, 'copy --to sqlite:copy.db', /does not know: "0099-future"/);

  // Another node migrates the schema to a version that this one cannot use.
  await onDatabase(url, 'update compatibility set oldest_schema = 99');
  const startedAt = performance.now();
  await expect.poll(status, { interval: 20 }).toBe(503);
  expect(performance.now() - startedAt).toBeLessThan(1000 + 10_000);
  const ready = await fetch(`${service.production}/readyz`);
  const { message } = (await ready.json()) as { message: string };
  expect(ready.status).toBe(503);
  expect(message).toMatch(/a newer version of Rollcall has upgraded the database, .+ schema 99/);
  expect((await fetch(`${service.production}/healthz`)).status).toBe(200);
  const outageLines = () =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes('cannot be used normally'));
  await expect.poll(outageLines).toEqual([expect.stringContaining('schema 99')]);
  expect(await service.stop()).toBe(0);
  expect(outageLines()).toHaveLength(1);

  const refusal =
    /was upgraded by a newer version of Rollcall and needs a version that supports schema 99; this one supports up to schema \d+\. /;
  await expectRefused(program, 'serve', refusal);
  await expectRefused(program, `sample ${WHERE.join(' ')} --clients 3`, refusal);
});

test('an older database is upgraded with a line for each migration, by a command and in the log of a service', async () => {
  const command = new Program({ ROLLCALL_DATABASE_URL: 'sqlite:rollcall.db' });
  await migrateToSchema(command.databaseUrl, 32);
  const { code, stdout, stderr } = await command.run(['migrate']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The database schema is up to date.\n' });
  expect(stderr).toMatch(
    /^Migration 0033-bounded-views \(1 of \d+\): \d+\.\d s\nMigration 0034-undone-changes \(2 of \d+\): /,
  );
  expect((await command.run(['migrate'])).stderr).toBe('');

  const node = new Program({ ROLLCALL_DATABASE_URL: 'sqlite:rollcall.db' });
  await migrateToSchema(node.databaseUrl, 32);
  const service = await node.serve(['--only', 'production']);
  expect(await service.stop()).toBe(0);
  const lines = service.log().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    level: 30,
    time: expect.any(Number),
    migration: '0033-bounded-views',
    position: 1,
    count: expect.any(Number),
    seconds: expect.any(Number),
    msg: 'a migration of the database has ended',
  });
});
