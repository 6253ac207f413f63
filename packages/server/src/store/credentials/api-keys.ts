import type { Selectable } from 'kysely';
import type { ApiKey } from '../../domain/credentials/api-key.ts';
import type { EndedKeyStore } from '../../domain/credentials/ended-keys.ts';
import type { KeyLookup } from '../../domain/credentials/exchange-key.ts';
import type { ApiKeys, KeyChanges } from '../../domain/credentials/manage-keys.ts';
import type { Environment } from '../../domain/environment.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { WorkspaceUnitOfWork } from '../unit-of-work.ts';

export function openApiKeys(engine: Engine): ApiKeys & KeyLookup & EndedKeyStore {
  const selectRevoked = () => engine.reads.selectFrom('api_keys').where('revoked_at', 'is not', null);

  return {
    list: async (workspaceId) => {
      const rows = await selectKeys(engine.reads)
        .where('api_keys.workspace_id', '=', workspaceId)
        .orderBy('api_keys.created_at', 'desc')
        .orderBy('api_keys.id')
        .execute();
      return rows.map(toApiKey);
    },

    byHash: async (hash) => {
      const row = await selectKeys(engine.reads).where('api_keys.hash', '=', hash).executeTakeFirst();
      return row && toApiKey(row);
    },

    workspaceOf: async (keyId) => {
      const key = await engine.reads
        .selectFrom('api_keys')
        .where('id', '=', keyId)
        .select('workspace_id')
        .executeTakeFirst();
      return key?.workspace_id;
    },

    countRevoked: async () => {
      const { revoked } = await selectRevoked()
        .select(({ fn }) => fn.countAll<number>().as('revoked'))
        .executeTakeFirstOrThrow();
      return revoked;
    },

    revokedIds: async () => (await selectRevoked().select('id').execute()).map(({ id }) => id),

    expiringAfter: async (since) => {
      const rows = await engine.reads
        .selectFrom('api_keys')
        .where('expires_at', '>', since)
        .select(['id', 'expires_at'])
        .execute();
      return rows.map((row) => ({ keyId: row.id, expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY }));
    },
  };
}

export function keyChangesIn(work: WorkspaceUnitOfWork): KeyChanges {
  const { db, workspaceId, at } = work;
  const own = () => selectKeys(db).where('api_keys.workspace_id', '=', workspaceId);
  return {
    create: async (key, hash) => {
      work.markChanged();
      await db
        .insertInto('api_keys')
        .values({
          workspace_id: workspaceId,
          id: key.id,
          name: key.name,
          hash,
          preview: key.preview,
          created_at: key.createdAt,
          created_by: key.createdBy,
          expires_at: key.expiresAt,
          revoked_at: key.revokedAt,
        })
        .execute();
    },

    revoke: async (keyId) => {
      const revoked = await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (revoked) work.markChanged();
      const row = await own().where('api_keys.id', '=', keyId).executeTakeFirst();
      return row && toApiKey(row);
    },

    createdBy: async (email) => {
      const rows = await own()
        .where('api_keys.created_by', '=', email)
        .where('api_keys.revoked_at', 'is', null)
        .orderBy('api_keys.created_at')
        .orderBy('api_keys.id')
        .execute();
      return rows.map(toApiKey);
    },
  };
}

function selectKeys(db: ReadOnlyDatabase) {
  return db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .selectAll('api_keys')
    .select('workspaces.environment');
}

function toApiKey(row: Selectable<Tables['api_keys']> & { environment: string }): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    environment: row.environment as Environment,
    name: row.name,
    preview: row.preview,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
