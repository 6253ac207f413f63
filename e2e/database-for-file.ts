import { inject } from 'vitest';
import { copyOnServer } from '../packages/server/src/testing/every-write/fresh-database.ts';
import type { RegisterCleanUp } from './program.ts';

/** The settings of a program for all tests of a file, on a new database of the engine under test. */
export async function databaseForFile(onFinished: RegisterCleanUp): Promise<Record<string, string>> {
  if (inject('engine') === 'sqlite') return {};
  const { url, remove } = await copyOnServer(inject('postgresUrl'), inject('postgresTemplate'));
  onFinished(remove);
  return { ROLLCALL_DATABASE_URL: url };
}
