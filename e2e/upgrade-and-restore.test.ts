import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrateToSchema } from '../packages/server/src/testing/migrate-to-schema.ts';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { allRowsIn, onDatabase } from '../packages/server/src/testing/raw-database.ts';
import { exchange } from './api.ts';
import { addClients } from './nodes.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount } from './test-account.ts';

/** From before search, sign-in services, reviews and the chained activity log. */
const OLD_SCHEMA = 13;

/** An account with 20 clients and an API key as an old version has stored them: in the tables and columns that it had. */
async function fillAsOldVersion(url: string): Promise<{ api_key: string }> {
  const present = new Program();
  const { key } = await createTestAccount(present, { clients: 20 });
  await migrateToSchema(url, OLD_SCHEMA);
  for (const [table, rows] of Object.entries(await allRowsIn(present.databaseUrl))) {
    if (['installation', 'compatibility'].includes(table)) continue;
    for (const row of rows as Record<string, unknown>[]) await insertKnownColumns(url, table, row);
  }
  return key;
}

async function insertKnownColumns(url: string, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = url.startsWith('sqlite:')
    ? `select name from pragma_table_info('${table}')`
    : `select column_name as name from information_schema.columns where table_name = '${table}'`;
  const known = (await onDatabase(url, columns)).map(({ name }) => String(name)).filter((name) => name in row);
  if (known.length === 0) return;
  const values = known.map((name) => literal(row[name]));
  const withIds = url.startsWith('sqlite:') ? '' : 'overriding system value';
  await onDatabase(url, `insert into ${table} (${known.join(', ')}) ${withIds} values (${values.join(', ')})`);
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

interface Walk {
  program: Program;
  backUp(): Promise<void>;
  destroy(): Promise<void>;
  /** Returns the program with the restored database. */
  restore(): Promise<Program>;
}

/** Fills an old installation, upgrades it by serving it, backs it up, destroys it, restores it and serves it. */
async function walk({ program, backUp, destroy, restore }: Walk): Promise<void> {
  const key = await fillAsOldVersion(program.databaseUrl);
  const service = await program.serve(['--only', 'production']);
  await addClients(program, 3, 2);
  const { data } = await exchange(service.production, key.api_key);
  const before = await expectClients(service, data.access_token, 23);
  await backUp();
  await addClients(program, 5, 3);
  await expect.poll(async () => (await ask(service, data.access_token)).total).toBe(28);
  expect(await service.stop()).toBe(0);
  await destroy();

  const restored = await restore();
  expect(await restored.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 23 } });
  const again = await restored.serve(['--only', 'production']);
  // The token from before still works, and what was cached before is not used again.
  const after = await expectClients(again, data.access_token, 23, before.tag);
  expect(after.names).toEqual(before.names);
  await addClients(restored, 5, 4);
  await expect.poll(async () => (await ask(again, data.access_token)).total).toBe(28);
}

async function ask({ production }: Serving, token: string, tag = '"none"') {
  const headers = { authorization: `Bearer ${token}`, 'if-none-match': tag };
  const response = await fetch(`${production}/api/v1/clients-list/?page_limit=100`, { headers });
  if (response.status !== 200) return { status: response.status, total: 0, names: [], tag: '' };
  const { data } = (await response.json()) as { data: { total_count: number; results: { client_name: string }[] } };
  const names = data.results.map((client) => client.client_name);
  return { status: 200, total: data.total_count, names, tag: response.headers.get('etag') ?? '' };
}

async function expectClients(service: Serving, token: string, total: number, tag?: string) {
  await expect.poll(async () => (await ask(service, token)).total).toBe(total);
  const answer = await ask(service, token, tag);
  expect(answer).toMatchObject({ status: 200, total });
  return answer;
}

test('on SQLite, an old installation is filled, upgraded, backed up, destroyed, restored and served', async () => {
  const program = new Program();
  const data = join(program.folder, 'data');
  mkdirSync(data);
  const backup = join(program.folder, 'saved.db.zst');
  await walk({
    program,
    backUp: () => program.json(['backup', backup]),
    destroy: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(data, `rollcall.db${end}`), { force: true });
    },
    restore: async () => {
      expect(await program.json(['restore', backup])).toMatchObject({ has_secret: true, totals: { clients: 23 } });
      return program;
    },
  });
});

const programs = PostgresServer.installedPrograms();
const WITHOUT_TOOLS = 'PostgreSQL with pg_dump and pg_basebackup is not installed';

function runTool(name: string, args: string[]): void {
  const { status, stderr } = spawnSync(join(programs ?? '', name), args, { encoding: 'utf8' });
  expect(status, `${name}: ${stderr}`).toBe(0);
}

test('on PostgreSQL, the same with pg_dump and pg_restore', async ({ skip }) => {
  if (!programs) return skip(WITHOUT_TOOLS);
  const server = await PostgresServer.startInstalled(programs, ['fsync=off']);
  onTestFinished(() => server.stop());
  const admin = await server.connect();
  onTestFinished(() => admin.end());
  await admin.query('create database rollcall');
  const program = new Program({ ROLLCALL_DATABASE_URL: server.url('rollcall') });
  const dump = join(program.folder, 'rollcall.dump');
  await walk({
    program,
    backUp: async () => runTool('pg_dump', ['--format=custom', `--file=${dump}`, server.url('rollcall')]),
    destroy: async () => void (await admin.query('drop database rollcall with (force)')),
    restore: async () => {
      await admin.query('create database rollcall_restored');
      const url = server.url('rollcall_restored');
      runTool('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${url}`, dump]);
      return new Program({ ROLLCALL_DATABASE_URL: url });
    },
  });
});

test('on PostgreSQL, a base backup and the archive restore the moment before a mistake, in a new epoch', async ({
  skip,
}) => {
  if (!programs) return skip(WITHOUT_TOOLS);
  const server = await PostgresServer.startInstalled(programs, ['archive_mode=on']);
  onTestFinished(() => server.stop());
  const [archive, base] = [server.makeFolder('archive'), server.makeFolder('base')];
  const admin = await server.connect();
  await admin.query(`alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  await admin.query('select pg_reload_conf()');
  await admin.query('create database rollcall');
  const program = new Program({ ROLLCALL_DATABASE_URL: server.url('rollcall') });
  const { key } = await createTestAccount(program, { clients: 10 });
  const service = await program.serve(['--only', 'production']);
  const { data } = await exchange(service.production, key.api_key);
  runTool('pg_basebackup', [`--pgdata=${base}`, '--checkpoint=fast', `--dbname=${server.url()}`]);
  await addClients(program, 5, 2);
  const before = await expectClients(service, data.access_token, 15);
  await admin.query(`select pg_create_restore_point('before_the_mistake')`);
  await addClients(program, 3, 3);
  expect(await service.stop()).toBe(0);
  const { rows } = await admin.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  const archived = async () => (await admin.query('select last_archived_wal as file from pg_stat_archiver')).rows[0];
  await expect.poll(async () => (await archived())?.file ?? '').toBe(rows[0]?.file);
  await admin.end();
  await server.shutDown();

  const recovered = await server.startRecovered(base, [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_name = 'before_the_mistake'`,
    `recovery_target_action = 'promote'`,
  ]);
  onTestFinished(() => recovered.stop());
  const successor = await recovered.connect();
  onTestFinished(() => successor.end());
  const isPromoted = async () => !(await successor.query('select pg_is_in_recovery() as is')).rows[0]?.is;
  await expect.poll(isPromoted).toBe(true);
  const restored = new Program({ ROLLCALL_DATABASE_URL: recovered.url('rollcall') });
  const again = await restored.serve(['--only', 'production']);
  const after = await expectClients(again, data.access_token, 15, before.tag);
  expect(after.names).toEqual(before.names);
  expect(await restored.json(['doctor'])).toMatchObject({ ok: true, checked: { clients: 15 } });
});
