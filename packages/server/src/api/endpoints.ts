import { type Front, pathOf, plainPathOf, withoutSlash } from '../http/front.ts';
import { type Endpoint, type EndpointDeps, endpointFor } from './endpoint.ts';
import type { Route } from './route.ts';

/** The contract's addresses, each with and without its trailing slash. */
export function endpointsOf(deps: EndpointDeps, routes: readonly Route[]): Front {
  const methods = new Map<string, string[]>();
  const byPath = new Map<string, Map<string, Endpoint>>();
  for (const route of routes) {
    const endpoint = endpointFor(deps, route);
    const accepted = route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const byMethod = new Map(accepted.map((method) => [method, endpoint]));
    methods.set(withoutSlash(route.path), accepted);
    for (const path of [route.path, withoutSlash(route.path)]) byPath.set(path, byMethod);
  }
  return {
    methods,
    answer: (request, response) => {
      const { method = '', url = '' } = request;
      const endpoint = (byPath.get(pathOf(url)) ?? byPath.get(plainPathOf(url)))?.get(method);
      if (!endpoint) return false;
      endpoint(request, response).catch((error) => {
        deps.logger.error({ err: error }, 'defect');
        response.destroy();
      });
      return true;
    },
  };
}
