import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { firstSchema } from './0001-first-schema.ts';
import { clientHistory } from './0002-client-history.ts';
import { dashboard } from './0003-dashboard.ts';
import { countedIndex } from './0004-counted-index.ts';
import { referencesByWorkspace } from './0005-references-by-workspace.ts';
import { installation } from './0006-installation.ts';
import { revokedKeys } from './0007-revoked-keys.ts';
import { recordOfChanges } from './0008-record-of-changes.ts';
import { compatibility } from './0009-compatibility.ts';
import { keySecrets } from './0010-key-secrets.ts';
import { encryptionAtRest } from './0011-encryption-at-rest.ts';
import { rateLimits } from './0012-rate-limits.ts';
import { moreFilters } from './0013-more-filters.ts';
import { clientWords } from './0014-client-words.ts';
import { wordsAgain } from './0015-words-again.ts';
import { writing } from './0016-writing.ts';
import { signIn } from './0017-sign-in.ts';
import { recoveryCodes } from './0018-recovery-codes.ts';
import { accountRules } from './0019-account-rules.ts';
import { mail } from './0020-mail.ts';
import { passkeys } from './0021-passkeys.ts';
import { identities } from './0022-identities.ts';
import { activityChains } from './0023-activity-chains.ts';
import { memberships } from './0024-memberships.ts';
import { activityCuts } from './0025-activity-cuts.ts';
import { keyListings } from './0026-key-listings.ts';
import { review } from './0027-review.ts';
import { bulkChanges } from './0028-bulk-changes.ts';
import { failedCalls } from './0029-failed-calls.ts';
import { importProgress } from './0030-import-progress.ts';
import { savedViews } from './0031-saved-views.ts';
import { bulkChangeParts } from './0032-bulk-change-parts.ts';
import { boundedViews } from './0033-bounded-views.ts';
import { undoneChanges } from './0034-undone-changes.ts';
import { correctedRejects } from './0035-corrected-rejects.ts';
import { statusChangesOfImports } from './0036-status-changes-of-imports.ts';
import { groupsAndClientsOfImports } from './0037-groups-and-clients-of-imports.ts';
import { emailsChangedByImports } from './0038-emails-changed-by-imports.ts';
import { emailsElsewhereOfImports } from './0039-emails-elsewhere-of-imports.ts';
import { repeatsOfImports } from './0040-repeats-of-imports.ts';
import type { Dialect } from './dialect.ts';
import type { MigrationListener } from './migration-listener.ts';

/** Numbered and forward-only. A released migration is never changed; every change is a new migration. */
export const MIGRATIONS: Record<string, (dialect: Dialect) => Migration> = {
  '0001-first-schema': firstSchema,
  '0002-client-history': clientHistory,
  '0003-dashboard': dashboard,
  '0004-counted-index': countedIndex,
  '0005-references-by-workspace': referencesByWorkspace,
  '0006-installation': installation,
  '0007-revoked-keys': revokedKeys,
  '0008-record-of-changes': recordOfChanges,
  '0009-compatibility': compatibility,
  '0010-key-secrets': keySecrets,
  '0011-encryption-at-rest': encryptionAtRest,
  '0012-rate-limits': rateLimits,
  '0013-more-filters': moreFilters,
  '0014-client-words': clientWords,
  '0015-words-again': wordsAgain,
  '0016-writing': writing,
  '0017-sign-in': signIn,
  '0018-recovery-codes': recoveryCodes,
  '0019-account-rules': accountRules,
  '0020-mail': mail,
  '0021-passkeys': passkeys,
  '0022-identities': identities,
  '0023-activity-chains': activityChains,
  '0024-memberships': memberships,
  '0025-activity-cuts': activityCuts,
  '0026-key-listings': keyListings,
  '0027-review': review,
  '0028-bulk-changes': bulkChanges,
  '0029-failed-calls': failedCalls,
  '0030-import-progress': importProgress,
  '0031-saved-views': savedViews,
  '0032-bulk-change-parts': bulkChangeParts,
  '0033-bounded-views': boundedViews,
  '0034-undone-changes': undoneChanges,
  '0035-corrected-rejects': correctedRejects,
  '0036-status-changes-of-imports': statusChangesOfImports,
  '0037-groups-and-clients-of-imports': groupsAndClientsOfImports,
  '0038-emails-changed-by-imports': emailsChangedByImports,
  '0039-emails-elsewhere-of-imports': emailsElsewhereOfImports,
  '0040-repeats-of-imports': repeatsOfImports,
};

export const MIGRATION_NAMES = Object.keys(MIGRATIONS);

/** The schema that this program knows: the number of its last migration. */
export const SCHEMA = Number.parseInt(MIGRATION_NAMES.at(-1) ?? '', 10);

export async function migrateToLatest<Schema>(
  db: Kysely<Schema>,
  dialect: Dialect,
  listener?: MigrationListener,
): Promise<void> {
  if (await isUpToDate(db, dialect)) return;
  const provider = { getMigrations: async () => migrationsFor(dialect) };
  const migrator = new Migrator({ db, provider });
  // A node of an older version must be able to start beside newer ones, although it knows only some of the migrations.
  const known = await migrator.getMigrations();
  const pending = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  if (pending.length === 0) return;
  if (listener && pending.length < known.length) {
    provider.getMigrations = async () => reported(migrationsFor(dialect), pending, listener);
  }
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Finds the table of the migrations that were made, if there is one. */
const FIND_TABLE: Record<Dialect, RawBuilder<unknown>> = {
  sqlite: sql`select 1 from sqlite_schema where name = ${DEFAULT_MIGRATION_TABLE}`,
  postgres: sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`,
};

/**
 * Most databases are. Without this, every start and every command would wait until Kysely has read all columns of all tables,
 * which takes PostgreSQL longer than anything else that happens when a store is opened.
 */
async function isUpToDate<Schema>(db: Kysely<Schema>, dialect: Dialect): Promise<boolean> {
  const { rows: tables } = await FIND_TABLE[dialect].execute(db);
  if (tables.length === 0) return false;
  const { rows: made } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db,
  );
  const names = new Set(made.map(({ name }) => name));
  return MIGRATION_NAMES.every((name) => names.has(name));
}

function migrationsFor(dialect: Dialect): Record<string, Migration> {
  return Object.fromEntries(Object.entries(MIGRATIONS).map(([name, migration]) => [name, migration(dialect)]));
}

function reported(
  migrations: Record<string, Migration>,
  pending: readonly string[],
  listener: MigrationListener,
): Record<string, Migration> {
  const report = (name: string, { up }: Migration): Migration => ({
    async up(db) {
      listener.onBegin({ name, position: pending.indexOf(name) + 1, count: pending.length });
      const begunAt = performance.now();
      await up(db);
      listener.onEnd({ name, milliseconds: performance.now() - begunAt });
    },
  });
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, report(name, migration)]));
}
