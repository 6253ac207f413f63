import { ClientList, type FetchedPage } from './client-list.ts';
import { RollcallError } from './errors.ts';
import type { ClientsPage, ClientsSummary } from './generated/api.ts';
import { nextQuery } from './next-page.ts';
import {
  type ClientFilters,
  type PageRequest,
  toQuery,
  toSummaryQuery,
  type WalkRequest,
  type WatchedClients,
} from './query.ts';
import type { RetryLimits } from './retry.ts';
import type { Service } from './service.ts';
import { type ClientChange, readWatchSettings, type WatchOptions, watchClients } from './watch.ts';

/** The options of every call. */
export interface CallOptions {
  /**
   * Ends the call at once with the signal's reason, also while it waits between two attempts.
   * @defaultValue none
   */
  signal?: AbortSignal | undefined;
}

/** The options of a call for one page. */
export interface PageOptions extends CallOptions {
  /**
   * An earlier page of the same request. The same object is returned if nothing has changed since then.
   * @defaultValue none: the page is always read
   */
  ifChangedSince?: ClientsPage | undefined;
}

interface FetchOptions extends PageOptions {
  limits?: RetryLimits | undefined;
}

/** The largest page that the service allows: rate limits count requests, and a walk reads every client anyway. */
const WALK_PAGE_LIMIT = 1000;

const LIST_PATH = '/api/v1/clients-list/';
const SUMMARY_PATH = '/api/v1/clients-summary/';

/** The clients of an environment. */
export class Clients {
  readonly #service: Service;
  readonly #etags = new WeakMap<ClientsPage, { query: string; etag: string }>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** All clients that match, newest first. Loop over the result with `for await`; no request is sent before that. */
  list(request: WalkRequest = {}, { signal }: CallOptions = {}): ClientList {
    return this.#walk(request, { signal });
  }

  /** One page, with the totals. */
  async page(request: PageRequest = {}, { signal, ifChangedSince }: PageOptions = {}): Promise<ClientsPage> {
    const { page } = await this.#fetchPage(toQuery(request), { signal, ifChangedSince });
    return page;
  }

  /** How many clients match: in total, by request status, type and client status, and by group. */
  async summary(filters: ClientFilters = {}, { signal }: CallOptions = {}): Promise<ClientsSummary> {
    const { data } = await this.#service.get<ClientsSummary>(`${SUMMARY_PATH}?${toSummaryQuery(filters)}`, { signal });
    if (!isSummary(data)) throw new RollcallError('The response contains no summary of clients; check baseUrl.');
    return data;
  }

  /**
   * Reports which clients that match are added, changed and removed from now on. A watch that has begun continues after an
   * outage and then reports the changes that it missed.
   */
  watch(filters: WatchedClients = {}, options: WatchOptions = {}): AsyncGenerator<ClientChange, void, undefined> {
    const firstClient = toQuery({ ...filters, pageLimit: 1 });
    const watched = {
      poll: async (last: ClientsPage | undefined, each: FetchOptions) =>
        (await this.#fetchPage(firstClient, { ...each, ifChangedSince: last })).page,
      walk: (each: FetchOptions) => this.#walk(filters, each),
    };
    return watchClients(watched, readWatchSettings(options));
  }

  #walk(request: WalkRequest, { signal, limits }: FetchOptions): ClientList {
    const query = toQuery({ ...request, pageLimit: request.pageLimit ?? WALK_PAGE_LIMIT });
    return new ClientList((each, ending) => this.#fetchPage(each, { signal: ending, limits }), query, signal);
  }

  async #fetchPage(
    query: URLSearchParams,
    { signal, ifChangedSince: previous, limits }: FetchOptions,
  ): Promise<FetchedPage> {
    const text = query.toString();
    // An ETag is valid for one query only, so it is not sent with any other.
    const known = previous && this.#etags.get(previous);
    const ifNoneMatch = known?.query === text ? known.etag : undefined;
    const path = `${LIST_PATH}?${text}`;
    const { headers, data } = await this.#service.get<ClientsPage>(path, { ifNoneMatch, signal, limits });
    const page = ifNoneMatch === undefined ? data : (data ?? previous);
    if (!isPage(page)) throw new RollcallError('The response contains no page of clients; check baseUrl.');
    const etag = headers.get('etag');
    if (etag !== null) this.#etags.set(page, { query: text, etag });
    return { page, next: nextQuery(query, page, headers.get('link')) };
  }
}

function isSummary(data: Partial<ClientsSummary> | undefined): data is ClientsSummary {
  return Array.isArray(data?.by_group);
}

/** The records are not checked: their types are generated from the schema of the service. */
function isPage(data: Partial<ClientsPage> | undefined): data is ClientsPage {
  return Array.isArray(data?.results);
}
