import { type Front, pathOf, plainPathOf, withoutSlash } from '../http/front.ts';
import { type Endpoint, type EndpointDeps, endpointFor } from './endpoint.ts';
import type { Route } from './route.ts';

/** The contract's addresses, each with and without its trailing slash. */
export function endpointsOf(deps: EndpointDeps, routes: readonly Route[]): Front {
  const endpoints = new Map<string, Endpoint>();
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const endpoint = endpointFor(deps, route);
    const accepted = route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    methods.set(withoutSlash(route.path), accepted);
    for (const method of accepted) {
      for (const path of [route.path, withoutSlash(route.path)]) endpoints.set(`${method} ${path}`, endpoint);
    }
  }
  return {
    methods,
    answer: (request, response) => {
      const { method, url = '' } = request;
      const endpoint = endpoints.get(`${method} ${pathOf(url)}`) ?? endpoints.get(`${method} ${plainPathOf(url)}`);
      if (!endpoint) return false;
      endpoint(request, response).catch((error) => {
        deps.logger.error({ err: error }, 'defect');
        response.destroy();
      });
      return true;
    },
  };
}
