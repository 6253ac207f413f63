import type { OnKeysRevoked } from '../../domain/credentials/ended-keys.ts';
import { type KeysWithUsageDeps, type KeyWithUsage, listKeysWithUsage } from '../../domain/credentials/key-usage.ts';
import { createKey, type ManageKeysDeps, revokeKey } from '../../domain/credentials/manage-keys.ts';
import { parseTime } from '../../domain/time.ts';
import { CreatedKey, CreateKeyForm, KeyList, type KeyRecord } from '../contract/credentials/keys.ts';
import { NoData } from '../contract/fields.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText, timeTextOrNull } from '../time.ts';

export const keyRoutes = (
  deps: KeysWithUsageDeps & ManageKeysDeps & { onKeysRevoked: OnKeysRevoked },
): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/keys',
    role: 'viewer',
    data: KeyList,
    handle: async ({ workspaceId }) => ({ keys: (await listKeysWithUsage(deps, workspaceId)).map(toRecord) }),
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/keys',
    role: 'admin',
    recentPassword: true,
    body: CreateKeyForm,
    data: CreatedKey,
    handle: async ({ actor, workspaceId, environment, body }) => {
      const expiresAt = parseTime(body.expires_at ?? '') ?? null;
      const request = { environment, name: body.name, expiresAt, createdBy: actor.name };
      const { key, secret } = await createKey(deps, { workspaceId, actor }, request);
      return { key_id: key.id, name: key.name, api_key: secret };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/keys/:keyId',
    role: 'admin',
    recentPassword: true,
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await revokeKey(deps, { workspaceId, actor }, parameter('keyId'));
      return null;
    },
  }),
];

function toRecord(key: KeyWithUsage): KeyRecord {
  return {
    key_id: key.id,
    name: key.name,
    preview: key.preview,
    created_at: timeText(key.createdAt),
    created_by: key.createdBy,
    last_used_at: timeTextOrNull(key.lastUsedAt),
    recent_calls: key.recentCalls,
    expires_at: timeTextOrNull(key.expiresAt),
    revoked_at: timeTextOrNull(key.revokedAt),
  };
}
