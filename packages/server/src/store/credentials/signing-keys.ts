import type { SigningKeyChanges, SigningKeyStore, StoredSigningKey } from '../../domain/credentials/signing-keys.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export function openSigningKeys(engine: Engine): SigningKeyStore {
  return { all: () => readAll(engine.reads) };
}

export function signingKeyChangesIn({ db }: UnitOfWork): SigningKeyChanges {
  return {
    all: () => readAll(db),

    add: async (key) => {
      await db
        .insertInto('signing_keys')
        .values({ kid: key.kid, private_jwk: key.privateJwk, created_at: key.createdAt })
        .execute();
    },

    remove: async (kid) => {
      await db.deleteFrom('signing_keys').where('kid', '=', kid).execute();
    },
  };
}

async function readAll(db: ReadOnlyDatabase): Promise<StoredSigningKey[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
  return rows.map((row) => ({ kid: row.kid, privateJwk: row.private_jwk, createdAt: row.created_at }));
}
