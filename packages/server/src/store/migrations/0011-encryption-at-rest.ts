import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/** The number of this migration. */
const SCHEMA = 11;

/** Until now, a key began to sign this long after it was created. */
const SIGNED_AFTER_MS = 10_000;

interface ClearKey {
  kid: string;
  private_jwk: string;
  created_at: number;
}

/**
 * Private keys are stored encrypted. Those that were stored in the clear are deleted here, because they may be in old backups.
 * Their public parts stay, so that the tokens that they have signed remain valid until they expire. The first start of a
 * service makes new keys. Older programs could not verify their tokens, so they are excluded.
 */
export const encryptionAtRest = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql<ClearKey>`select kid, private_jwk, created_at from signing_keys`.execute(db);
    await db.schema.dropTable('signing_keys').execute();
    await db.schema
      .createTable('signing_keys')
      .addColumn('kid', 'text', (column) => column.primaryKey())
      .addColumn('public_jwk', 'text', (column) => column.notNull())
      .addColumn('sealed_private_jwk', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('signs_from', 'bigint')
      .execute();
    for (const { kid, private_jwk, created_at } of rows) {
      const { d, ...publicJwk } = JSON.parse(private_jwk);
      await sql`insert into signing_keys (kid, public_jwk, created_at, signs_from)
        values (${kid}, ${JSON.stringify(publicJwk)}, ${created_at}, ${Number(created_at) + SIGNED_AFTER_MS})`.execute(
        db,
      );
    }
    await db.schema.alterTable('installation').addColumn('secret_id', 'text').execute();
    await db.schema.alterTable('installation').addColumn('remains_removed_at', 'bigint').execute();
    await raiseOldestSchema(SCHEMA, db);
  },
});
