import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { PostgresSchemaDialect } from '../store/engines/postgres/schema-dialect.ts';
import { openForMigrations } from '../store/engines/sqlite/open-file.ts';
import { MIGRATIONS } from '../store/migrations/migrate.ts';

/** Uses a database without the store, so that its schema can be an older one. */
export async function withSchema<T>(url: string, use: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const isFile = url.startsWith('sqlite:');
  const db = isFile ? openForMigrations<unknown>(url.slice('sqlite:'.length)) : onServer(url);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

function onServer(url: string): Kysely<unknown> {
  return new Kysely({ dialect: new PostgresSchemaDialect({ pool: new Pool({ connectionString: url }) }) });
}

/**
 * Runs the migrations up to this number, in one transaction, as the version with this schema did. `beforeCommit` can look at
 * what each of them has done.
 */
export async function migrateToSchema(
  url: string,
  schema: number,
  beforeCommit = async (_db: Kysely<unknown>): Promise<void> => {},
): Promise<void> {
  const dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const known = Object.entries(MIGRATIONS).filter(([name]) => Number.parseInt(name, 10) <= schema);
  const observed = known.map(([name, migration]) => {
    const up: Migration['up'] = async (db) => {
      await migration(dialect).up(db);
      await beforeCommit(db);
    };
    return [name, { up }];
  });
  const provider = { getMigrations: async () => Object.fromEntries(observed) };
  const { error } = await withSchema(url, (db) => new Migrator({ db, provider }).migrateToLatest());
  if (error) throw error;
}
