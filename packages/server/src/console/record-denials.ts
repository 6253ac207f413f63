import { isFailure } from '../domain/failure.ts';
import { type DenialDeps, recordDenial } from '../domain/members/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { ConsoleRoute, MemberFields } from './define-route.ts';

/**
 * A role may allow a request and not what it asks for: admins may invite members, and only owners may invite an owner. Such a
 * refusal is on record like one of the whole request.
 */
export function recordingDenials(deps: DenialDeps, route: ConsoleRoute): ConsoleRoute {
  if (route.access === 'anyone') return route;
  return {
    ...route,
    handle: async (context) => {
      try {
        return await route.handle(context);
      } catch (error) {
        if (isFailure(error, 'forbidden')) {
          const { actor, method } = context as RequestContext & MemberFields;
          await recordDenial(deps, actor, `${method} ${route.path}`);
        }
        throw error;
      }
    },
  };
}
