import { type AuthenticateDeps, authenticate, requireScope } from '../domain/credentials/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Route } from '../http/route.ts';
import type { ApiAccess } from './define-route.ts';

/** Workspaces are numbered from 1, so a route that needs no access token and reads rows all the same finds none. */
const NO_WORKSPACE = { workspaceId: 0 };

export async function authorise(
  deps: AuthenticateDeps,
  context: RequestContext,
  { access }: Route<ApiAccess>,
): Promise<{ workspaceId: number }> {
  if (typeof access === 'string') return NO_WORKSPACE;
  const token = await authenticate(deps, context.header('authorization'), context);
  context.principal = token;
  requireScope(token.scopes, access.scope);
  return { workspaceId: token.workspaceId };
}
