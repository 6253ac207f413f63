import { resolve } from 'node:path';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { Failure } from '../domain/failure.ts';
import { isTooNew } from './compatibility.ts';
import type { Contents } from './engines/contents.ts';
import { lookAtPostgres } from './engines/postgres/look-at-postgres.ts';
import { placeOf } from './engines/postgres/start.ts';
import { lookAtSqlite } from './engines/sqlite/look-at-sqlite.ts';
import { MIGRATION_NAMES, SCHEMA } from './migrations/migrate.ts';
import { PRIMARY_KEYS } from './tables.ts';

/** Since the first migration; no database of ours is without them. */
const OURS_SINCE_EVER = [DEFAULT_MIGRATION_TABLE, 'accounts', 'workspaces', 'api_keys', 'clients'];

/** The migrator makes these before it begins, so they alone mean nothing. */
const OF_THE_MIGRATOR = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

const NAMES_SHOWN = 3;

export interface Expectation {
  /** Whether it may be that there is no database yet, or an empty one. */
  mayCreate?: boolean;
  /** Whether its schema must be exactly that of this version, because it will be neither changed nor taken on trust. */
  upToDate?: boolean;
  /** Whether it may hold nothing that this version does not know, because that would be left out. */
  allKnown?: boolean;
}

/**
 * Makes sure that a database is one of ours before it is opened. Opening it brings it up to date, and would turn a mistyped
 * path, or somebody else's database, into an empty Rollcall that looks as if all were well.
 */
export async function requireDatabase(databaseUrl: string, expectation: Expectation = {}): Promise<void> {
  const { place, contents } = await lookAt(databaseUrl);
  if (!contents || contents.tables.every((table) => OF_THE_MIGRATOR.includes(table))) {
    if (expectation.mayCreate) return;
    throw new Failure(
      'not_found',
      `There is no Rollcall database at ${place}. Check ROLLCALL_DATABASE_URL, or make one with \`rollcall migrate\`.`,
    );
  }
  requireOurs(place, contents);
  requireCompatible(place, contents);
  if (expectation.upToDate) requireUpToDate(place, contents);
  if (expectation.allKnown) requireAllKnown(place, contents);
}

async function lookAt(databaseUrl: string): Promise<{ place: string; contents: Contents | undefined }> {
  if (!databaseUrl.startsWith('sqlite:')) {
    return { place: placeOf(databaseUrl), contents: await lookAtPostgres(databaseUrl) };
  }
  const place = resolve(databaseUrl.slice('sqlite:'.length));
  return { place, contents: await lookAtSqlite(place) };
}

function requireOurs(place: string, { tables, migrations }: Contents): void {
  const hasBegun = migrations.some((name) => name === MIGRATION_NAMES[0]);
  if (hasBegun && OURS_SINCE_EVER.every((table) => tables.includes(table))) return;
  throw new Failure(
    'bad_parameter',
    `The database ${place} is not one of Rollcall: it holds ${some(tables)}. It was left as it is.`,
  );
}

/** A newer schema says itself which programs it is still good for. */
function requireCompatible(place: string, { migrations, oldestSchema }: Contents): void {
  const isUnsaid = oldestSchema === undefined && migrations.some((name) => !MIGRATION_NAMES.includes(name));
  if (!isUnsaid && !isTooNew(oldestSchema)) return;
  const needs = isUnsaid ? 'a newer one' : `one that knows schema ${oldestSchema}, and this one knows ${SCHEMA}`;
  throw new Failure(
    'conflict',
    `The database ${place} was changed by a newer version of Rollcall and needs ${needs}. Update Rollcall; the database was left as it is.`,
  );
}

function requireUpToDate(place: string, { migrations }: Contents): void {
  if (migrations.some((name) => !MIGRATION_NAMES.includes(name))) {
    throw new Failure(
      'conflict',
      `The database ${place} has the schema of a newer version of Rollcall, which this one does not know well enough. Use that version.`,
    );
  }
  if (MIGRATION_NAMES.every((name) => migrations.includes(name))) return;
  throw new Failure(
    'conflict',
    `The database ${place} has the schema of an older version. \`rollcall migrate\` brings it up to date.`,
  );
}

function requireAllKnown(place: string, { tables, migrations }: Contents): void {
  const known = [...OF_THE_MIGRATOR, ...Object.keys(PRIMARY_KEYS), ...MIGRATION_NAMES];
  const unknown = [...migrations, ...tables].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Failure(
    'conflict',
    `The database ${place} holds what this version of Rollcall does not know: ${some(unknown)}. Nothing was copied.`,
  );
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => JSON.stringify(name));
  return names.length > NAMES_SHOWN ? `${shown.join(', ')} and others` : shown.join(', ');
}
