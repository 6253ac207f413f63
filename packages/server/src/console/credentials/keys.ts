import { type DescribeKeysDeps, listKeys, readKey } from '../../domain/credentials/describe-keys.ts';
import { type ChangeKeyDeps, createKey, revokeKey, updateKey } from '../../domain/credentials/manage-keys.ts';
import type { RateLimit } from '../../domain/credentials/rate-limit.ts';
import { endOldSecret, rollKey } from '../../domain/credentials/roll-key.ts';
import { parseTime } from '../../domain/time.ts';
import {
  CreatedKey,
  CreateKeyForm,
  KeyDetails,
  KeyList,
  RolledKey,
  RollKeyForm,
  UpdateKeyForm,
} from '../contract/credentials/keys.ts';
import { NoData } from '../contract/fields.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { oldSecretEnd, toDetails, toList } from './key-records.ts';

interface KeyRouteDeps extends DescribeKeysDeps, ChangeKeyDeps {
  /** The limit of the keys that have none of their own; null if they are not limited. */
  defaultRateLimit: RateLimit | null;
}

export const keyRoutes = (deps: KeyRouteDeps): ConsoleRoute[] => [
  ...readRoutes(deps),
  ...changeRoutes(deps),
  ...secretRoutes(deps),
];

const readRoutes = (deps: KeyRouteDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/keys',
    role: 'viewer',
    data: KeyList,
    handle: async ({ workspaceId }) =>
      toList(await listKeys(deps, workspaceId), deps.defaultRateLimit, deps.clock.now()),
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/keys/:keyId',
    role: 'viewer',
    data: KeyDetails,
    handle: ({ workspaceId, parameter }) => readDetails(deps, workspaceId, parameter('keyId')),
  }),
];

const changeRoutes = (deps: KeyRouteDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/keys',
    role: 'admin',
    proofTo: 'create an API key',
    body: CreateKeyForm,
    data: CreatedKey,
    handle: async ({ actor, workspaceId, environment, body }) => {
      const { name, scopes } = body;
      const request = { environment, name, ...(scopes && { scopes }), ...toFields(body), createdBy: actor.name };
      const { key, secret } = await createKey(deps, { workspaceId, actor }, request);
      return { key_id: key.id, name: key.name, api_key: secret };
    },
  }),

  workspaceRoute({
    methods: ['PATCH'],
    path: '/console/:environment/keys/:keyId',
    role: 'admin',
    proofTo: 'change this API key',
    body: UpdateKeyForm,
    data: KeyDetails,
    handle: async ({ actor, workspaceId, body, parameter }) => {
      const wanted = { ...(body.name !== undefined && { name: body.name }), ...toFields(body) };
      await updateKey(deps, { workspaceId, actor }, parameter('keyId'), wanted);
      return readDetails(deps, workspaceId, parameter('keyId'));
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/keys/:keyId',
    role: 'admin',
    proofTo: 'revoke this API key',
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await revokeKey(deps, { workspaceId, actor }, parameter('keyId'));
      return null;
    },
  }),
];

const secretRoutes = (deps: KeyRouteDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/keys/:keyId/roll',
    role: 'admin',
    proofTo: 'roll this API key',
    body: RollKeyForm,
    data: RolledKey,
    handle: async ({ actor, workspaceId, body, parameter }) => {
      const overlap = { overlapSeconds: body.overlap_seconds };
      const { key, secret, ended } = await rollKey(deps, { workspaceId, actor }, parameter('keyId'), overlap);
      return {
        key_id: key.id,
        name: key.name,
        api_key: secret,
        old_secret_ends_at: oldSecretEnd(key, deps.clock.now()),
        ended_preview: ended?.preview ?? null,
      };
    },
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: '/console/:environment/keys/:keyId/secrets/:number',
    role: 'admin',
    proofTo: 'end this secret',
    data: NoData,
    handle: async ({ actor, workspaceId, parameter }) => {
      await endOldSecret(deps, { workspaceId, actor }, parameter('keyId'), numberIn(parameter('number')));
      return null;
    },
  }),
];

async function readDetails(deps: KeyRouteDeps, workspaceId: number, keyId: string): Promise<KeyDetails> {
  return toDetails(await readKey(deps, workspaceId, keyId), deps.defaultRateLimit, deps.clock.now());
}

/** The fields that were sent, as the domain names them. */
function toFields(body: {
  note?: string;
  allowed_networks?: string[];
  expires_at?: string | null;
  rate_limit?: string | null;
}) {
  const { note, allowed_networks: allowedNetworks, expires_at: expiresAt, rate_limit: rateLimit } = body;
  return {
    ...(note !== undefined && { note }),
    ...(allowedNetworks !== undefined && { allowedNetworks }),
    ...(expiresAt !== undefined && { expiresAt: parseTime(expiresAt ?? '') ?? null }),
    ...(rateLimit !== undefined && { rateLimit }),
  };
}

/** Zero when it is not a number, which finds no secret, just like a number that does not exist. */
function numberIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
