import type { Transaction } from 'kysely';
import type { SigningKeyStore, StoredSigningKey } from '../domain/signing-keys.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

export function openSigningKeys(engine: Engine): SigningKeyStore {
  return {
    all: async () => {
      const rows = await engine.reads
        .selectFrom('signing_keys')
        .selectAll()
        .orderBy('created_at')
        .orderBy('kid')
        .execute();
      return rows.map((row) => ({ kid: row.kid, privateJwk: row.private_jwk, createdAt: row.created_at }));
    },

    addFirst: (key) =>
      engine.write(
        async (db) => {
          const existing = await db.selectFrom('signing_keys').select('kid').executeTakeFirst();
          if (!existing) await insert(db, key);
        },
        { alone: 'signing keys' },
      ),

    add: (key) => engine.write((db) => insert(db, key)),

    remove: (kid) =>
      engine.write(async (db) => {
        const { numDeletedRows } = await db.deleteFrom('signing_keys').where('kid', '=', kid).executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      }),
  };
}

async function insert(db: Transaction<Tables>, key: StoredSigningKey): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ kid: key.kid, private_jwk: key.privateJwk, created_at: key.createdAt })
    .execute();
}
