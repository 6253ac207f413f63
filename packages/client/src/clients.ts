import { ClientList, type Step } from './client-list.ts';
import { RollcallError } from './errors.ts';
import type { ClientsPage } from './generated/api.ts';
import { nextQuery } from './next-page.ts';
import { type ClientFilters, type PageRequest, queryOf, type WalkRequest } from './query.ts';
import type { Service } from './service.ts';
import { type ClientChange, type WatchOptions, watchClients } from './watch.ts';

export interface CallOptions {
  /** Ends the call with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface PageOptions extends CallOptions {
  /** A page of the same request: returned itself, the same object, when nothing has changed since. */
  ifChangedSince?: ClientsPage | undefined;
}

/** The most that the service allows: limits count requests, and a walk wants every client anyway. */
const WALK_PAGE_LIMIT = 1000;

const LIST_PATH = '/api/v1/clients-list/';

export class Clients {
  readonly #service: Service;
  readonly #etags = new WeakMap<ClientsPage, { query: string; etag: string }>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** All clients that match, newest first. Loop over it with `for await`; nothing is requested before. */
  list(request: WalkRequest = {}, { signal }: CallOptions = {}): ClientList {
    const query = queryOf({ ...request, pageLimit: request.pageLimit ?? WALK_PAGE_LIMIT });
    return new ClientList((each, ending) => this.#step(each, { signal: ending }), query, signal);
  }

  /** One page, with the totals. */
  async page(request: PageRequest = {}, options: PageOptions = {}): Promise<ClientsPage> {
    const { page } = await this.#step(queryOf(request), options);
    return page;
  }

  /** What is added to, changed in and removed from the clients that match, from now on. */
  watch(filters: ClientFilters = {}, options: WatchOptions = {}): AsyncGenerator<ClientChange, void, undefined> {
    return watchClients(this, filters, options);
  }

  async #step(query: URLSearchParams, { signal, ifChangedSince: previous }: PageOptions): Promise<Step> {
    const text = query.toString();
    // An ETag says nothing about other filters, so it is only sent with the query that it came from.
    const known = previous && this.#etags.get(previous);
    const ifNoneMatch = known?.query === text ? known.etag : undefined;
    const path = `${LIST_PATH}?${text}`;
    const { headers, data } = await this.#service.get<ClientsPage>(path, { ifNoneMatch, signal });
    const page = ifNoneMatch === undefined ? data : (data ?? previous);
    if (!isPage(page)) throw new RollcallError('The answer holds no page of clients; check baseUrl.');
    const etag = headers.get('etag');
    if (etag !== null) this.#etags.set(page, { query: text, etag });
    return { page, next: nextQuery(query, page, headers.get('link')) };
  }
}

/** Its records are taken at the service's word: our types come from its own schema. */
function isPage(data: Partial<ClientsPage> | undefined): data is ClientsPage {
  return Array.isArray(data?.results);
}
