import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import type { Engine } from '../store/engines/engine.ts';
import { migrateToSchema } from './migrate-to-schema.ts';
import { databaseOn, onServer } from './postgres-setup.ts';
import { newDatabase } from './test-store.ts';

/** The URL of a database as an older version left it: with the migrations up to this number, and without any rows. */
export async function oldDatabase(engine: Engine['dialect'], schema: number): Promise<string> {
  const url = engine === 'sqlite' ? await newDatabase('sqlite') : await emptyDatabaseOnServer();
  await migrateToSchema(url, schema);
  return url;
}

/** Without the tables that the template for other tests has. */
async function emptyDatabaseOnServer(): Promise<string> {
  const server = inject('postgresUrl');
  const name = `${inject('postgresTemplate')}_old_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  onTestFinished(async () => void (await onServer(server, `drop database ${name} with (force)`)));
  return databaseOn(server, name);
}
