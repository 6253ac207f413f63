import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../store/open-store.ts';
import { databaseOn, onServer } from '../postgres-setup.ts';
import type { FreshDatabase } from './check-every-write.ts';

/** Creates a new SQLite file. */
export async function freshFile(): Promise<FreshDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-every-write-'));
  const url = `sqlite:${join(folder, 'rollcall.db')}`;
  await migrate(url);
  return { url, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Creates a new database on a server, as a copy of a migrated one. */
export async function copyOnServer(serverUrl: string, template: string): Promise<FreshDatabase> {
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  const remove = async () => {
    await onServer(serverUrl, `drop database ${name} with (force)`);
  };
  return { url: databaseOn(serverUrl, name), remove };
}

export async function migrate(url: string): Promise<void> {
  const store = openStore(url);
  await store.migrate();
  await store.close();
}
