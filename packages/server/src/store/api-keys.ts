import type { Selectable } from 'kysely';
import type { ApiKey } from '../domain/api-key.ts';
import type { KeyEnds } from '../domain/ended-keys.ts';
import type { Environment } from '../domain/environment.ts';
import type { KeyLookup } from '../domain/exchange-key.ts';
import type { ApiKeys } from '../domain/manage-keys.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';
import { lockWorkspace, raiseVersion } from './workspaces.ts';

export function openApiKeys(engine: Engine): ApiKeys & KeyLookup & KeyEnds {
  const selectKeys = (db: Engine['reads']) =>
    db
      .selectFrom('api_keys')
      .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
      .selectAll('api_keys')
      .select('workspaces.environment');

  const selectRevoked = () => engine.reads.selectFrom('api_keys').where('revoked_at', 'is not', null);

  const revokeIn: ApiKeys['revokeIn'] = (workspaceId, keyId, at) =>
    engine.write(async (db) => {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .execute();
      const row = await selectKeys(db)
        .where('api_keys.workspace_id', '=', workspaceId)
        .where('api_keys.id', '=', keyId)
        .executeTakeFirst();
      if (!row) return undefined;
      await raiseVersion(db, workspaceId);
      return toApiKey(row);
    });

  return {
    create: (key, hash) =>
      engine.write(async (db) => {
        await lockWorkspace(db, key.workspaceId);
        await raiseVersion(db, key.workspaceId);
        await db
          .insertInto('api_keys')
          .values({
            workspace_id: key.workspaceId,
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
      }),

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

    revoke: async (keyId, at) => {
      const key = await engine.reads
        .selectFrom('api_keys')
        .where('id', '=', keyId)
        .select('workspace_id')
        .executeTakeFirst();
      return key && revokeIn(key.workspace_id, keyId, at);
    },

    revokeIn,

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
