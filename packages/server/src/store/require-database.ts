import { resolve } from 'node:path';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { Failure } from '../domain/failure.ts';
import { isTooNew } from './compatibility.ts';
import type { DatabaseContents } from './engines/database-contents.ts';
import { addressOf } from './engines/postgres/check-at-start.ts';
import { inspectPostgres } from './engines/postgres/inspect-postgres.ts';
import { inspectSqlite } from './engines/sqlite/inspect-sqlite.ts';
import { MIGRATION_NAMES, SCHEMA } from './migrations/migrate.ts';
import { PRIMARY_KEYS, RATE_LIMITS_TABLE, WORDS_TABLES } from './tables.ts';

/** Every Rollcall database has these tables, because the first migration creates them. */
const FIRST_TABLES = [DEFAULT_MIGRATION_TABLE, 'accounts', 'workspaces', 'api_keys', 'clients'];

/** Tables of earlier versions, with the migration that replaces each. */
const FORMER_TABLES: Record<string, string> = { activity: '0023-activity-chains' };

/** The migrator creates these before the first migration, so a database with only these tables is empty. */
const MIGRATOR_TABLES = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

/** From this migration on, a service on PostgreSQL needs the secret to start, and older nodes cannot use the database. */
const NEEDS_SECRET_FROM = '0011-encryption-at-rest';

const NAMES_SHOWN = 3;

export interface Expectation {
  /** Whether the database may be missing or empty. */
  mayCreate?: boolean;
  /** Whether the schema must be exactly the one of this version, because the command does not migrate. */
  upToDate?: boolean;
  /** Whether the database must contain no unknown tables or migrations, because a copy would leave them out. */
  allKnown?: boolean;
  /** Whether the secret of the installation is not set. Then the database must not be one whose migration makes it necessary. */
  withoutSecret?: boolean;
}

/**
 * Checks that a database belongs to Rollcall before it is opened. Opening it runs the migrations, which would turn a mistyped
 * path, or the database of another program, into an empty Rollcall database.
 */
export async function requireDatabase(databaseUrl: string, expectation: Expectation = {}): Promise<void> {
  const { address, contents } = await inspect(databaseUrl);
  if (!contents || contents.tables.every((table) => MIGRATOR_TABLES.includes(table))) {
    if (expectation.mayCreate) return;
    throw new Failure(
      'not_found',
      `There is no Rollcall database at ${address}. Check ROLLCALL_DATABASE_URL, or create one with \`rollcall migrate\`.`,
    );
  }
  requireUsable(address, contents);
  if (expectation.upToDate) requireUpToDate(address, contents);
  if (expectation.allKnown) requireAllKnown(address, contents);
  if (expectation.withoutSecret && !databaseUrl.startsWith('sqlite:')) requireEncryption(address, contents);
}

/** Fails unless these are the contents of a Rollcall database that this program can use. */
export function requireUsable(address: string, contents: DatabaseContents): void {
  requireOurs(address, contents);
  requireCompatible(address, contents);
}

async function inspect(databaseUrl: string): Promise<{ address: string; contents: DatabaseContents | undefined }> {
  if (!databaseUrl.startsWith('sqlite:')) {
    return { address: addressOf(databaseUrl), contents: await inspectPostgres(databaseUrl) };
  }
  const address = resolve(databaseUrl.slice('sqlite:'.length));
  return { address, contents: await inspectSqlite(address) };
}

function requireOurs(address: string, { tables, migrations }: DatabaseContents): void {
  const hasBegun = migrations.some((name) => name === MIGRATION_NAMES[0]);
  if (hasBegun && FIRST_TABLES.every((table) => tables.includes(table))) return;
  throw new Failure(
    'bad_parameter',
    `The database ${address} is not a Rollcall database: it contains ${listNames(tables)}. It was not changed.`,
  );
}

/** A newer database says which schema a program must know to use it. */
function requireCompatible(address: string, { migrations, oldestSchema }: DatabaseContents): void {
  const isUnknown = oldestSchema === undefined && migrations.some((name) => !MIGRATION_NAMES.includes(name));
  if (!isUnknown && !isTooNew(oldestSchema)) return;
  const needs = isUnknown
    ? 'a newer version'
    : `a version that supports schema ${oldestSchema}; this one supports up to schema ${SCHEMA}`;
  throw new Failure(
    'conflict',
    `The database ${address} was upgraded by a newer version of Rollcall and needs ${needs}. Update Rollcall. The database was not changed.`,
  );
}

function requireUpToDate(address: string, { migrations }: DatabaseContents): void {
  if (migrations.some((name) => !MIGRATION_NAMES.includes(name))) {
    throw new Failure(
      'conflict',
      `The database ${address} has the schema of a newer version of Rollcall. Use that version for this command.`,
    );
  }
  if (MIGRATION_NAMES.every((name) => migrations.includes(name))) return;
  throw new Failure(
    'conflict',
    `The database ${address} has the schema of an older version of Rollcall. Run \`rollcall migrate\` to upgrade it.`,
  );
}

/** Otherwise a harmless command would stop the older nodes by migrating, and no new node could start in their place. */
function requireEncryption(address: string, { migrations }: DatabaseContents): void {
  if (migrations.includes(NEEDS_SECRET_FROM)) return;
  throw new Failure(
    'bad_parameter',
    `ROLLCALL_SECRET is not set, and this command would upgrade the database ${address} to a schema that needs it and that nodes of older versions cannot use. Stop these nodes first, or upgrade them together, and set ROLLCALL_SECRET to what \`rollcall secret new\` prints, the same on every node. The database was not changed.`,
  );
}

function requireAllKnown(address: string, { tables, migrations }: DatabaseContents): void {
  const derived = [RATE_LIMITS_TABLE, ...WORDS_TABLES];
  const former = Object.keys(FORMER_TABLES).filter((table) => !migrations.includes(FORMER_TABLES[table] ?? ''));
  const known = [...MIGRATOR_TABLES, ...Object.keys(PRIMARY_KEYS), ...derived, ...former, ...MIGRATION_NAMES];
  const unknown = [...migrations, ...tables].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Failure(
    'conflict',
    `The database ${address} contains tables or migrations that this version of Rollcall does not know: ${listNames(unknown)}. Nothing was copied.`,
  );
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => JSON.stringify(name));
  return names.length > NAMES_SHOWN ? `${shown.join(', ')} and others` : shown.join(', ');
}
