import type { IncomingMessage } from 'node:http';
import findMyWay from 'find-my-way';
import { pathOf, withoutTrailingSlash } from './address.ts';
import type { PathParameters } from './request-context.ts';
import { ADDRESS_MAX_BYTES } from './request-size.ts';
import type { Route } from './route.ts';

export interface FoundRoute<Access> {
  route: Route<Access>;
  parameters: PathParameters;
}

const NO_PARAMETERS: PathParameters = {};

/** Finds the route of a request. What it does not find is left to the framework. */
export class Router<Access> {
  /** The methods of all routes. */
  readonly #methods = new Set<string>();
  /** For addresses in their usual form, which cost two lookups. */
  readonly #exact = new Map<string, Map<string, FoundRoute<Access>>>();
  /** For paths with parameters, and for addresses that are percent-encoded or begin with a scheme and a host. */
  readonly #patterns = findMyWay({ ignoreTrailingSlash: true, maxParamLength: ADDRESS_MAX_BYTES });

  constructor(routes: readonly Route<Access>[]) {
    for (const route of routes) {
      for (const method of route.methods.flatMap(withHead)) this.#add(method, route);
    }
  }

  #add(method: 'HEAD' | Route['methods'][number], route: Route<Access>): void {
    const path = withoutTrailingSlash(route.path);
    this.#patterns.on(method, route.path, () => {}, route);
    this.#methods.add(method);
    if (path.includes(':')) return;
    for (const form of [path, `${path}/`]) {
      entryOf(this.#exact, form, () => new Map()).set(method, { route, parameters: NO_PARAMETERS });
    }
  }

  find({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): FoundRoute<Access> | undefined {
    const exact = this.#exact.get(pathOf(url))?.get(method);
    if (exact) return exact;
    const match = this.#patterns.find(method as 'GET', url);
    return match ? { route: match.store, parameters: match.params } : undefined;
  }

  /** The methods that this address accepts. */
  methodsOf(url: string): string[] {
    return [...this.#methods].filter((method) => this.find({ method, url }));
  }
}

function withHead(method: Route['methods'][number]): ('HEAD' | Route['methods'][number])[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const entry = map.get(key) ?? create();
  map.set(key, entry);
  return entry;
}
