import type { Updateable } from 'kysely';
import type { ApiKey, KeySecret } from '../../domain/credentials/api-key.ts';
import type { KeyChanges } from '../../domain/credentials/key-changes.ts';
import { formatScopes } from '../../domain/credentials/scope.ts';
import type { Tables } from '../tables.ts';
import type { WorkspaceUnitOfWork } from '../unit-of-work.ts';
import { readKey } from './api-keys.ts';
import { lockKeys } from './lock-keys.ts';

export function keyChangesIn(work: WorkspaceUnitOfWork): KeyChanges {
  const { db, workspaceId, at, version } = work;
  const rows = new KeyRows(work);

  return {
    find: (keyId) => readKey(db, workspaceId, keyId),

    count: async () => {
      const { keys } = await db
        .selectFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .select(({ fn }) => fn.countAll<number>().as('keys'))
        .executeTakeFirstOrThrow();
      return Number(keys);
    },

    removeOldestRevoked: async (before) => {
      const oldest = await db
        .selectFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where('revoked_at', '<', before)
        .orderBy('revoked_at')
        .orderBy('id')
        .select('id')
        .executeTakeFirst();
      if (!oldest) return false;
      work.markChanged();
      for (const table of ['api_key_secrets', 'key_usage', 'key_listings'] as const) {
        await db.deleteFrom(table).where('workspace_id', '=', workspaceId).where('key_id', '=', oldest.id).execute();
      }
      await db.deleteFrom('api_keys').where('workspace_id', '=', workspaceId).where('id', '=', oldest.id).execute();
      return true;
    },

    createdBy: async (email) => {
      const own = await rows.createdBy(email);
      await lockKeys(
        work.engine,
        db,
        own.map((keyId) => ({ workspaceId, keyId })),
      );
      const keys: ApiKey[] = [];
      for (const id of own) keys.push(await rows.read(id));
      return keys;
    },

    create: async (key, secret, hash) => {
      work.markChanged();
      await db
        .insertInto('api_keys')
        .values({
          workspace_id: workspaceId,
          id: key.id,
          name: key.name,
          note: key.note,
          scopes: formatScopes(key.scopes),
          allowed_networks: key.allowedNetworks.join(','),
          rate_limit: key.rateLimit,
          created_at: key.createdAt,
          created_by: key.createdBy,
          expires_at: key.expiresAt,
          revoked_at: null,
          version,
        })
        .execute();
      await rows.addSecret(key.id, secret, hash);
      return rows.read(key.id);
    },

    update: async (keyId, { name, note, allowedNetworks, expiresAt, rateLimit }) => {
      const networks = allowedNetworks.join(',');
      return rows.change(keyId, {
        name,
        note,
        allowed_networks: networks,
        expires_at: expiresAt,
        rate_limit: rateLimit,
      });
    },

    roll: async (keyId, { added, hash, ends, keep }) => {
      for (const { number, endsAt, endedAt } of ends) {
        await rows.changeSecret(keyId, number, { ends_at: endsAt, ended_at: endedAt });
      }
      await rows.addSecret(keyId, added, hash);
      await db
        .deleteFrom('api_key_secrets')
        .where('workspace_id', '=', workspaceId)
        .where('key_id', '=', keyId)
        .where('number', '<=', added.number - keep)
        .execute();
      return rows.change(keyId, {});
    },

    endSecret: async (keyId, number) => {
      await rows.changeSecret(keyId, number, { ended_at: at });
      return rows.change(keyId, {});
    },

    revoke: async (keyId) => {
      const key = await readKey(db, workspaceId, keyId);
      return key?.revokedAt === null ? rows.change(keyId, { revoked_at: at }) : key;
    },
  };
}

/** The rows of one key, within a change that has locked the workspace. */
class KeyRows {
  readonly #work: WorkspaceUnitOfWork;

  constructor(work: WorkspaceUnitOfWork) {
    this.#work = work;
  }

  async read(keyId: string): Promise<ApiKey> {
    const key = await readKey(this.#work.db, this.#work.workspaceId, keyId);
    if (!key) throw new Error(`The API key ${keyId} does not exist.`);
    return key;
  }

  /** Every change stores the version with the key, by which other processes notice it. */
  async change(keyId: string, fields: Updateable<Tables['api_keys']>): Promise<ApiKey> {
    const { db, workspaceId, version } = this.#work;
    this.#work.markChanged();
    await db
      .updateTable('api_keys')
      .set({ ...fields, version })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', keyId)
      .execute();
    return this.read(keyId);
  }

  /** Oldest first, without those that were revoked. */
  async createdBy(email: string): Promise<string[]> {
    const { db, workspaceId } = this.#work;
    const own = await db
      .selectFrom('api_keys')
      .where('workspace_id', '=', workspaceId)
      .where('created_by', '=', email)
      .where('revoked_at', 'is', null)
      .select('id')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return own.map(({ id }) => id);
  }

  async addSecret(keyId: string, secret: KeySecret, hash: string): Promise<void> {
    await this.#work.db
      .insertInto('api_key_secrets')
      .values({
        workspace_id: this.#work.workspaceId,
        key_id: keyId,
        number: secret.number,
        hash,
        preview: secret.preview,
        created_at: secret.createdAt,
        ends_at: secret.endsAt,
        ended_at: secret.endedAt,
      })
      .execute();
  }

  async changeSecret(keyId: string, number: number, fields: Updateable<Tables['api_key_secrets']>): Promise<void> {
    await this.#work.db
      .updateTable('api_key_secrets')
      .set(fields)
      .where('workspace_id', '=', this.#work.workspaceId)
      .where('key_id', '=', keyId)
      .where('number', '=', number)
      .execute();
  }
}
