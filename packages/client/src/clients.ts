import { ClientList, type Step } from './client-list.ts';
import { RollcallError } from './errors.ts';
import type { ClientsPage } from './generated/api.ts';
import { nextQuery } from './next-page.ts';
import { type ClientFilters, type PageRequest, queryOf, type WalkRequest } from './query.ts';
import type { RetryLimits } from './retry.ts';
import type { Service } from './service.ts';
import { type ClientChange, type WatchOptions, watchClients, watchSettingsOf } from './watch.ts';

/** What every call takes. */
export interface CallOptions {
  /**
   * Ends the call at once, also while it waits between two attempts, with the signal's reason.
   * @defaultValue none
   */
  signal?: AbortSignal | undefined;
}

/** What a call for one page takes. */
export interface PageOptions extends CallOptions {
  /**
   * A page of the same request: returned itself, the same object, when nothing has changed since.
   * @defaultValue none: the page is always read
   */
  ifChangedSince?: ClientsPage | undefined;
}

interface StepOptions extends PageOptions {
  limits?: RetryLimits | undefined;
}

/** The most that the service allows: limits count requests, and a walk wants every client anyway. */
const WALK_PAGE_LIMIT = 1000;

const LIST_PATH = '/api/v1/clients-list/';

/** The clients of an environment. */
export class Clients {
  readonly #service: Service;
  readonly #etags = new WeakMap<ClientsPage, { query: string; etag: string }>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** All clients that match, newest first. Loop over it with `for await`; nothing is requested before. */
  list(request: WalkRequest = {}, { signal }: CallOptions = {}): ClientList {
    return this.#walk(request, { signal });
  }

  /** One page, with the totals. */
  async page(request: PageRequest = {}, { signal, ifChangedSince }: PageOptions = {}): Promise<ClientsPage> {
    const { page } = await this.#step(queryOf(request), { signal, ifChangedSince });
    return page;
  }

  /**
   * What is added to, changed in and removed from the clients that match, from now on. A watch that has begun goes on
   * through outages and then reports what it missed.
   */
  watch(filters: ClientFilters = {}, options: WatchOptions = {}): AsyncGenerator<ClientChange, void, undefined> {
    const one = queryOf({ ...filters, pageLimit: 1 });
    const watched = {
      look: async (last: ClientsPage | undefined, each: StepOptions) =>
        (await this.#step(one, { ...each, ifChangedSince: last })).page,
      walk: (each: StepOptions) => this.#walk(filters, each),
    };
    return watchClients(watched, watchSettingsOf(options));
  }

  #walk(request: WalkRequest, { signal, limits }: StepOptions): ClientList {
    const query = queryOf({ ...request, pageLimit: request.pageLimit ?? WALK_PAGE_LIMIT });
    return new ClientList((each, ending) => this.#step(each, { signal: ending, limits }), query, signal);
  }

  async #step(query: URLSearchParams, { signal, ifChangedSince: previous, limits }: StepOptions): Promise<Step> {
    const text = query.toString();
    // An ETag says nothing about other filters, so it is only sent with the query that it came from.
    const known = previous && this.#etags.get(previous);
    const ifNoneMatch = known?.query === text ? known.etag : undefined;
    const path = `${LIST_PATH}?${text}`;
    const { headers, data } = await this.#service.get<ClientsPage>(path, { ifNoneMatch, signal, limits });
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
