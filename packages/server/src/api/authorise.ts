import {
  type ActingKey,
  type AuthenticateDeps,
  authenticate,
  type RateLimits,
  requireScope,
} from '../domain/credentials/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Route } from '../http/route.ts';
import type { ApiAccess } from './define-route.ts';
import { requireAllowance } from './rate-limits.ts';

/** Workspaces are numbered from 1, so a route that needs no access token and reads rows all the same finds none. */
const NO_WORKSPACE = { workspaceId: 0 };

export interface AuthoriseDeps extends AuthenticateDeps {
  rateLimits: RateLimits;
}

/** Finds out who calls, by the access token, and refuses callers who call too often before anything is read for them. */
export async function authorise(
  deps: AuthoriseDeps,
  context: RequestContext,
  { access }: Route<ApiAccess>,
): Promise<{ workspaceId: number; actor?: ActingKey }> {
  if (typeof access === 'string') return NO_WORKSPACE;
  const token = await authenticate(deps, context.header('authorization'), context);
  context.principal = token;
  const waits = requireAllowance(context, deps.rateLimits.api, token.keyId);
  if (waits) await waits;
  requireScope(token.scopes, access.scope);
  const { workspaceId, keyId, secretNumber } = token;
  if (access.scope === 'clients:read') return { workspaceId };
  const { address, requestId } = context;
  return { workspaceId, actor: { name: keyId, address, requestId, keyId, secretNumber } };
}
