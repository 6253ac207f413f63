import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { exportJWK, generateKeyPair } from 'jose';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { hashPassword } from '../domain/members/password.ts';
import { makeSecondFactorSecret } from '../domain/members/second-factor.ts';
import { NodeSqliteDialect, SqliteConnection } from '../store/engines/sqlite/driver.ts';
import { MIGRATIONS } from '../store/migrations/migrate.ts';
import { TEST_PASSWORD } from './builders.ts';
import { databaseOn, onServer } from './postgres-setup.ts';
import { onDatabase } from './raw-database.ts';
import { temporaryFolder } from './test-store.ts';

/** The first schema that encrypts. */
const ENCRYPTION = '0011';

/** A database as it was before encryption, with a member who has a second factor and a key that signs, both in the clear. */
export async function aDatabaseBeforeEncryption() {
  const url = await anOldDatabase(inject('engine'));
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  const clear = { kid: randomUUID(), privateKey, jwk: await exportJWK(privateKey), seed: makeSecondFactorSecret() };
  const hash = await hashPassword(TEST_PASSWORD);
  const rows = [
    `insert into accounts (name, created_at) values ('Old', 1)`,
    `insert into workspaces (account_id, environment) values (1, 'production'), (1, 'sandbox')`,
    `insert into members (account_id, email, email_folded, role, password_hash, created_at, second_factor_secret, second_factor_at)
     values (1, 'old@firm.example', 'old@firm.example', 'owner', '${hash}', 1, '${clear.seed}', 2)`,
    `insert into signing_keys (kid, private_jwk, created_at) values ('${clear.kid}', '${JSON.stringify(clear.jwk)}', 1)`,
  ];
  for (const row of rows) await onDatabase(url, row);
  return { url, clear, workspaceId: 1, email: 'old@firm.example' };
}

async function anOldDatabase(engine: 'sqlite' | 'postgres'): Promise<string> {
  if (engine === 'sqlite') {
    const file = join(temporaryFolder(), 'rollcall.db');
    const connection = new SqliteConnection(new DatabaseSync(file));
    connection.database.exec('pragma journal_mode = wal; pragma secure_delete = on');
    await migrateBefore(new Kysely({ dialect: new NodeSqliteDialect(connection, 'begin immediate') }), engine);
    return `sqlite:${file}`;
  }
  const server = inject('postgresUrl');
  const name = `before_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  onTestFinished(async () => void (await onServer(server, `drop database ${name} with (force)`)));
  const pool = new Pool({ connectionString: databaseOn(server, name) });
  await migrateBefore(new Kysely({ dialect: new PostgresDialect({ pool }) }), engine);
  return databaseOn(server, name);
}

async function migrateBefore(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const old = Object.entries(MIGRATIONS).filter(([name]) => name < ENCRYPTION);
  const getMigrations = async () => Object.fromEntries(old.map(([name, migration]) => [name, migration(engine)]));
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  await db.destroy();
  if (error) throw error;
}
