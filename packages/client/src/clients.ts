import type { CallOptions, ChangeOptions, WriteOptions } from './call-options.ts';
import { ClientRecords } from './client-records.ts';
import { RollcallError } from './errors.ts';
import type { ItemIterator } from './flattened-pages.ts';
import type {
  Client,
  ClientByExternalId,
  ClientPatch,
  ClientRecord,
  ClientsPage,
  ClientsSummary,
  NewClient,
} from './generated/api.ts';
import { nextQuery } from './next-page.ts';
import { type FetchedPage, PagedList, WALK_PAGE_LIMIT } from './paged-list.ts';
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

/** The options of a call for one page. */
export interface PageOptions extends CallOptions {
  /**
   * An earlier page of the same request. The same object is returned if nothing has changed since then.
   * @defaultValue none: the page is always read
   */
  ifChangedSince?: ClientsPage | undefined;
}

/** All clients that match. Each loop over it reads the list from the beginning. */
export type ClientList = PagedList<Client, ClientsPage>;

/** A walk over clients that is in progress. */
export type ClientIterator = ItemIterator<Client>;

interface FetchOptions extends PageOptions {
  limits?: RetryLimits | undefined;
}

const LIST_PATH = '/api/v1/clients-list/';
const SUMMARY_PATH = '/api/v1/clients-summary/';

/** The clients of an environment. */
export class Clients {
  readonly #service: Service;
  readonly #records: ClientRecords;
  readonly #etags = new WeakMap<ClientsPage, { query: string; etag: string }>();

  constructor(service: Service) {
    this.#service = service;
    this.#records = new ClientRecords(service);
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

  /** One client with all of its fields. */
  get(referenceId: string, options: CallOptions = {}): Promise<ClientRecord> {
    return this.#records.get(referenceId, options);
  }

  /** Adds a client. If its group has a client with this email, or a client has its external id, it is a `ConflictError`. */
  create(client: NewClient, options: WriteOptions = {}): Promise<ClientRecord> {
    return this.#records.create(client, options);
  }

  /** Changes the given fields of a client. The others stay. */
  update(referenceId: string, patch: ClientPatch, options: ChangeOptions = {}): Promise<ClientRecord> {
    return this.#records.update(referenceId, patch, options);
  }

  /**
   * Changes the given fields of the client that has this id in your own system, or adds a client with it. To add one,
   * `email`, `client_name`, `client_type` and a group are needed.
   */
  upsert(externalId: string, fields: ClientByExternalId, options: ChangeOptions = {}): Promise<ClientRecord> {
    return this.#records.upsert(externalId, fields, options);
  }

  /** Removes a client and all personal data in its history for good. */
  erase(referenceId: string, options: ChangeOptions = {}): Promise<void> {
    return this.#records.erase(referenceId, options);
  }

  #walk(request: WalkRequest, { signal, limits }: FetchOptions): ClientList {
    const query = toQuery({ ...request, pageLimit: request.pageLimit ?? WALK_PAGE_LIMIT });
    return new PagedList((each, ending) => this.#fetchPage(each, { signal: ending, limits }), query, signal);
  }

  async #fetchPage(
    query: URLSearchParams,
    { signal, ifChangedSince: previous, limits }: FetchOptions,
  ): Promise<FetchedPage<ClientsPage>> {
    const text = query.toString();
    // An ETag is valid for one query only, so it is not sent with any other.
    const known = previous && this.#etags.get(previous);
    const ifNoneMatch = known?.query === text ? known.etag : undefined;
    const path = `${LIST_PATH}?${text}`;
    const { headers, data } = await this.#service.get<ClientsPage>(path, { ifNoneMatch, signal, limits });
    const page = ifNoneMatch !== undefined && data === undefined ? previous : data;
    if (!isPage(page)) throw new RollcallError('The response contains no page of clients; check baseUrl.');
    const etag = headers.get('etag');
    if (etag !== null) this.#etags.set(page, { query: text, etag });
    return { page, next: nextQuery(query, page, headers.get('link')) };
  }
}

function isSummary(data: Partial<ClientsSummary> | null | undefined): data is ClientsSummary {
  return Array.isArray(data?.by_group);
}

/** The records are not checked: their types are generated from the schema of the service. */
function isPage(data: Partial<ClientsPage> | null | undefined): data is ClientsPage {
  return Array.isArray(data?.results);
}
