import type { SigningKeyChanges, SigningKeyStore, StoredSigningKey } from '../../domain/credentials/signing-key.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export function openSigningKeys(engine: Engine): SigningKeyStore {
  return { all: () => readSigningKeys(engine.reads) };
}

export function signingKeyChangesIn({ db }: UnitOfWork): SigningKeyChanges {
  return {
    all: () => readSigningKeys(db),

    add: async (key) => {
      await db
        .insertInto('signing_keys')
        .values({
          kid: key.kid,
          public_jwk: key.publicJwk,
          sealed_private_jwk: key.sealedPrivateJwk,
          created_at: key.createdAt,
          signs_from: key.signsFrom,
        })
        .execute();
    },

    setSignsFrom: async (kid, signsFrom) => {
      await db.updateTable('signing_keys').set({ signs_from: signsFrom }).where('kid', '=', kid).execute();
    },

    remove: async (kid) => {
      await db.deleteFrom('signing_keys').where('kid', '=', kid).execute();
    },
  };
}

export async function readSigningKeys(db: ReadOnlyDatabase): Promise<StoredSigningKey[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('signs_from', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('kid')
    .execute();
  return rows.map((row) => ({
    kid: row.kid,
    publicJwk: row.public_jwk,
    sealedPrivateJwk: row.sealed_private_jwk,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
  }));
}
