import type { CallOptions, WriteOptions } from './call-options.ts';
import { RollcallError } from './errors.ts';
import type { ItemIterator } from './flattened-pages.ts';
import type { Group, GroupsPage, ListGroupsQuery } from './generated/api.ts';
import { nextQuery } from './next-page.ts';
import { type FetchedPage, PagedList, WALK_PAGE_LIMIT } from './paged-list.ts';
import { pathSegment } from './path-segment.ts';
import { toParameters } from './query-parameters.ts';
import type { ApiResponse } from './response.ts';
import type { Service } from './service.ts';

/** How many groups each request asks for. */
export interface GroupWalkRequest {
  /**
   * Groups per request, 1 to 1000.
   * @defaultValue 1000 for a walk, 10 for a single page
   */
  pageLimit?: number | undefined;
}

/** Which page of groups. */
export interface GroupPageRequest extends GroupWalkRequest {
  /**
   * The number of the page, starting with 1.
   * @defaultValue 1
   */
  pageNo?: number | undefined;
}

/** All groups, by name. Each loop over it reads the list from the beginning. */
export type GroupList = PagedList<Group, GroupsPage>;

/** A walk over groups that is in progress. */
export type GroupIterator = ItemIterator<Group>;

const PARAMETERS: Record<keyof GroupPageRequest, keyof ListGroupsQuery> = {
  pageNo: 'page_no',
  pageLimit: 'page_limit',
};

const LIST_PATH = '/api/v1/groups-list/';
const PATH = '/api/v1/groups/';

/** The groups of an environment. */
export class Groups {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * All groups, by name, with the number of their clients. Loop over the result with `for await`; no request is sent before
   * that. With more groups than fit on a page, one that is created, renamed or removed meanwhile may cause another one to
   * be missed or seen twice.
   */
  list(request: GroupWalkRequest = {}, { signal }: CallOptions = {}): GroupList {
    const first = toQuery({ ...request, pageLimit: request.pageLimit ?? WALK_PAGE_LIMIT });
    return new PagedList((query, ending) => this.#fetchPage(query, ending), first, signal);
  }

  /** One page, with the totals. */
  async page(request: GroupPageRequest = {}, { signal }: CallOptions = {}): Promise<GroupsPage> {
    const { page } = await this.#fetchPage(toQuery(request), signal);
    return page;
  }

  /** Adds a group without clients. If there is one with this name, in any letter case, it is a `ConflictError`. */
  async create(name: string, { signal, idempotencyKey }: WriteOptions = {}): Promise<Group> {
    const body = { group_name: name };
    return read(await this.#service.write({ method: 'POST', path: PATH, body, signal, idempotencyKey }));
  }

  /** Gives a group another name. Its token and its clients stay. */
  async rename(groupToken: string, name: string, { signal, idempotencyKey }: WriteOptions = {}): Promise<Group> {
    const path = `${PATH}${pathSegment('groupToken', groupToken)}/`;
    const body = { group_name: name };
    return read(await this.#service.write({ method: 'PATCH', path, body, signal, idempotencyKey }));
  }

  async #fetchPage(query: URLSearchParams, signal: AbortSignal | undefined): Promise<FetchedPage<GroupsPage>> {
    const { headers, data } = await this.#service.get<GroupsPage>(`${LIST_PATH}?${query}`, { signal });
    if (!isPage(data)) throw new RollcallError('The response contains no page of groups; check baseUrl.');
    return { page: data, next: nextQuery(query, data, headers.get('link')) };
  }
}

function toQuery(request: GroupPageRequest): URLSearchParams {
  return toParameters(request, PARAMETERS, 'parameter');
}

function read({ data }: ApiResponse<Group>): Group {
  if (isGroup(data)) return data;
  throw new RollcallError('The response contains no group; check baseUrl.');
}

function isPage(data: Partial<GroupsPage> | null | undefined): data is GroupsPage {
  return Array.isArray(data?.results);
}

function isGroup(data: Partial<Group> | null | undefined): data is Group {
  return typeof data?.group_token === 'string';
}
