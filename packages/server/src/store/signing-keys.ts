import type { SigningKeyStore } from '../domain/signing-keys.ts';
import type { Engine } from './engines/engine.ts';

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
      engine.write(async (db) => {
        const existing = await db.selectFrom('signing_keys').select('kid').executeTakeFirst();
        if (existing) return;
        await db
          .insertInto('signing_keys')
          .values({ kid: key.kid, private_jwk: key.privateJwk, created_at: key.createdAt })
          .execute();
      }),
  };
}
