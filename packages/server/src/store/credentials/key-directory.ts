import type { KeyDirectoryStore } from '../../domain/credentials/key-directory.ts';
import type { KeyFacts } from '../../domain/credentials/key-facts.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { networksIn } from './api-keys.ts';

/** Reads the keys of all workspaces, for the directory that every process has in memory. */
export function openKeyDirectory(engine: Engine): KeyDirectoryStore {
  return {
    // The version of a key only grows, so the sum is larger after every change.
    stamp: async () => {
      const { keys, versions } = await engine.reads
        .selectFrom('api_keys')
        .select(({ fn }) => [fn.countAll<number>().as('keys'), fn.sum<number | null>('version').as('versions')])
        .executeTakeFirstOrThrow();
      return `${keys}.${versions ?? 0}`;
    },

    allFacts: () =>
      engine.snapshot(async (db) => {
        const keys = await selectKeys(db).execute();
        return toFacts(keys, await selectSecrets(db).execute());
      }),

    factsOf: (keyIds) =>
      engine.snapshot(async (db) => {
        const keys = await selectKeys(db).where('id', 'in', engine.listOf(keyIds)).execute();
        const workspaceIds = keys.map((key) => key.workspace_id);
        const secrets = selectSecrets(db)
          .where('workspace_id', 'in', engine.listOf(workspaceIds))
          .where('key_id', 'in', engine.listOf(keyIds));
        return toFacts(keys, await secrets.execute());
      }),
  };
}

function selectKeys(db: ReadOnlyDatabase) {
  return db
    .selectFrom('api_keys')
    .select(['workspace_id', 'id', 'allowed_networks', 'rate_limit', 'expires_at', 'revoked_at', 'version']);
}

function selectSecrets(db: ReadOnlyDatabase) {
  return db.selectFrom('api_key_secrets').where('ended_at', 'is', null).select(['key_id', 'number', 'ends_at']);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];
type SecretRow = Awaited<ReturnType<ReturnType<typeof selectSecrets>['execute']>>[number];

function toFacts(keys: readonly KeyRow[], secrets: readonly SecretRow[]): KeyFacts[] {
  const ofKey = Map.groupBy(secrets, (secret) => secret.key_id);
  return keys.map((key) => ({
    keyId: key.id,
    workspaceId: key.workspace_id,
    isRevoked: key.revoked_at !== null,
    expiresAt: key.expires_at,
    secrets: (ofKey.get(key.id) ?? []).map(({ number, ends_at }) => ({ number, endsAt: ends_at })),
    allowedNetworks: networksIn(key.allowed_networks),
    rateLimit: key.rate_limit,
    version: key.version,
  }));
}
