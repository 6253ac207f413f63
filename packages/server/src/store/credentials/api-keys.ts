import type { CompiledQuery, Selectable } from 'kysely';
import type { ApiKey, KeySecret } from '../../domain/credentials/api-key.ts';
import type { KeyLookup } from '../../domain/credentials/exchange-key.ts';
import type { ApiKeys } from '../../domain/credentials/key-changes.ts';
import { parseScopes } from '../../domain/credentials/scope.ts';
import type { Environment } from '../../domain/environment.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';

export function openApiKeys(engine: Engine): ApiKeys & KeyLookup {
  const selectByHash = compileByHash(engine.reads);
  return {
    list: (workspaceId) => engine.snapshot((db) => readKeys(db, workspaceId)),

    find: (workspaceId, keyId) => engine.snapshot((db) => readKey(db, workspaceId, keyId)),

    namesOf: async (workspaceId, keyIds) => {
      if (keyIds.length === 0) return new Map();
      const rows = await engine.reads
        .selectFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', engine.listOf(keyIds))
        .select(['id', 'name'])
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    byHash: async (hash) => {
      const { rows } = await engine.reads.executeQuery<RowByHash>({ ...selectByHash, parameters: [hash] });
      const [first] = rows;
      if (!first) return undefined;
      return {
        key: toApiKey(
          first,
          rows.map((row) => ({ ...row, created_at: row.secret_created_at })),
        ),
        secretNumber: first.found_number,
      };
    },

    workspaceOf: async (keyId) => {
      const key = await engine.reads
        .selectFrom('api_keys')
        .where('id', '=', keyId)
        .select('workspace_id')
        .executeTakeFirst();
      return key?.workspace_id;
    },
  };
}

type RowByHash = KeyRow & Omit<SecretRow, 'created_at'> & { found_number: number; secret_created_at: number };

/**
 * The key that has a secret, in a row for each of its secrets. In one statement, which is compiled once, because every exchange
 * runs it (decision 88). Its only parameter is the hash.
 */
function compileByHash(db: ReadOnlyDatabase): CompiledQuery {
  return db
    .selectFrom('api_key_secrets as found')
    .innerJoin('api_keys', (join) =>
      join.onRef('api_keys.workspace_id', '=', 'found.workspace_id').onRef('api_keys.id', '=', 'found.key_id'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .innerJoin('api_key_secrets', (join) =>
      join
        .onRef('api_key_secrets.workspace_id', '=', 'found.workspace_id')
        .onRef('api_key_secrets.key_id', '=', 'found.key_id'),
    )
    .where('found.hash', '=', '')
    .selectAll('api_keys')
    .select([
      'workspaces.environment',
      'found.number as found_number',
      'api_key_secrets.key_id',
      'api_key_secrets.number',
      'api_key_secrets.preview',
      'api_key_secrets.created_at as secret_created_at',
      'api_key_secrets.ends_at',
      'api_key_secrets.ended_at',
    ])
    .orderBy('api_key_secrets.number')
    .compile();
}

async function readKeys(db: ReadOnlyDatabase, workspaceId: number): Promise<ApiKey[]> {
  const rows = await selectKeys(db, workspaceId)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id')
    .execute();
  const secrets = await selectSecrets(db, workspaceId).execute();
  const ofKey = Map.groupBy(secrets, (secret) => secret.key_id);
  return rows.map((row) => toApiKey(row, ofKey.get(row.id) ?? []));
}

/** Also used within a change, where it reads under the lock. */
export async function readKey(db: ReadOnlyDatabase, workspaceId: number, keyId: string): Promise<ApiKey | undefined> {
  const row = await selectKeys(db, workspaceId).where('api_keys.id', '=', keyId).executeTakeFirst();
  return row && toApiKey(row, await selectSecrets(db, workspaceId).where('key_id', '=', keyId).execute());
}

function selectKeys(db: ReadOnlyDatabase, workspaceId: number) {
  return db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .where('api_keys.workspace_id', '=', workspaceId)
    .selectAll('api_keys')
    .select('workspaces.environment');
}

function selectSecrets(db: ReadOnlyDatabase, workspaceId: number) {
  return db
    .selectFrom('api_key_secrets')
    .where('workspace_id', '=', workspaceId)
    .select(['key_id', 'number', 'preview', 'created_at', 'ends_at', 'ended_at'])
    .orderBy('key_id')
    .orderBy('number');
}

type KeyRow = Selectable<Tables['api_keys']> & { environment: string };
type SecretRow = Omit<Selectable<Tables['api_key_secrets']>, 'workspace_id' | 'hash'>;

function toApiKey(row: KeyRow, secrets: readonly SecretRow[]): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    environment: row.environment as Environment,
    name: row.name,
    note: row.note,
    scopes: parseScopes(row.scopes),
    allowedNetworks: networksIn(row.allowed_networks),
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    secrets: secrets.map(
      (secret): KeySecret => ({
        number: secret.number,
        preview: secret.preview,
        createdAt: secret.created_at,
        endsAt: secret.ends_at,
        endedAt: secret.ended_at,
      }),
    ),
    version: row.version,
  };
}

/** Networks are stored in one column, separated by commas. */
export function networksIn(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
