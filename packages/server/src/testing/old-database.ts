import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Engine } from '../store/engines/engine.ts';
import { PostgresSchemaDialect } from '../store/engines/postgres/schema-dialect.ts';
import { NodeSqliteDialect, SqliteConnection } from '../store/engines/sqlite/driver.ts';
import { DATABASE_CONTEXT } from '../store/engines/sqlite/unavailable-errors.ts';
import { MIGRATIONS } from '../store/migrations/migrate.ts';
import { databaseOn, onServer } from './postgres-setup.ts';
import { newDatabase } from './test-store.ts';

/** The URL of a database as an older version left it: with the migrations up to this number, and without any rows. */
export async function oldDatabase(engine: Engine['dialect'], schema: number): Promise<string> {
  const url = engine === 'sqlite' ? await newDatabase('sqlite') : await emptyDatabaseOnServer();
  await migrateToSchema(url, schema);
  return url;
}

/** Gives an empty database the schema of an older version. */
export async function migrateToSchema(url: string, schema: number): Promise<void> {
  const engine = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const db = engine === 'sqlite' ? onFile(url.slice('sqlite:'.length)) : onPostgres(url);
  const known = Object.entries(MIGRATIONS).filter(([name]) => Number.parseInt(name, 10) <= schema);
  const migrations = Object.fromEntries(known.map(([name, migration]) => [name, migration(engine)]));
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}

function onFile(file: string): Kysely<unknown> {
  const connection = new SqliteConnection(new DatabaseSync(file), { ...DATABASE_CONTEXT, file });
  return new Kysely({ dialect: new NodeSqliteDialect(connection, 'begin immediate') });
}

function onPostgres(url: string): Kysely<unknown> {
  return new Kysely({ dialect: new PostgresSchemaDialect({ pool: new Pool({ connectionString: url }) }) });
}

/** Without the tables that the template for other tests has. */
async function emptyDatabaseOnServer(): Promise<string> {
  const server = inject('postgresUrl');
  const name = `${inject('postgresTemplate')}_old_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  onTestFinished(async () => void (await onServer(server, `drop database ${name} with (force)`)));
  return databaseOn(server, name);
}
