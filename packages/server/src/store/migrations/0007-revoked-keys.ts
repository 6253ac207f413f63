import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** After every change, every process checks which keys were revoked or expire. Neither query may read all keys. */
export const revokedKeys = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('api_keys_revoked')
      .on('api_keys')
      .columns(['revoked_at', 'id'])
      .where(sql.ref('revoked_at'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('api_keys_expiring')
      .on('api_keys')
      .columns(['expires_at', 'id'])
      .where(sql.ref('expires_at'), 'is not', null)
      .execute();
  },
});
