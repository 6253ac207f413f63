import { type Static, Type } from 'typebox';
import {
  type ClientPages,
  type ClientsPage,
  type ListClientsRequest,
  listClients,
} from '../../domain/clients/list-clients.ts';
import { LIST_ORDERS } from '../../domain/clients/list-orders.ts';
import { Failure } from '../../domain/failure.ts';
import { type ApiRoute, defineApiRoute } from '../define-route.ts';
import { type CachedAnswerDeps, cachedAnswer } from './cached-answer.ts';
import { CLIENT_FILTERS, toFilter } from './client-filters.ts';
import { LARGE_PAGE_CLIENTS, LargePageQueue } from './large-page-queue.ts';
import { linksOf } from './links.ts';
import { INCLUDABLE, type Includable, ListedClient, toListed } from './listed-client.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_PARAMETERS, toPageRequest } from './page-parameters.ts';
import { READING_FAILURES } from './reading-failures.ts';

/** An address may have 8192 characters. This leaves room for its path and a cursor. */
const QUERY_MAX_LENGTH = 8000;

const ListClientsQuery = Type.Object(
  {
    ...PAGE_PARAMETERS,
    ...CLIENT_FILTERS,
    order: Type.Optional(
      Type.Enum([...LIST_ORDERS], { default: 'newest', description: 'Which clients come first, by creation time.' }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum([...INCLUDABLE]), {
        description: 'Further fields for every client, separated by commas.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        description: 'Instead of `page_no`: the position to continue from, taken from the `Link` header. Opaque.',
        examples: ['o.1769850600000.42.2.1k9d0c'],
      }),
    ),
  },
  { additionalProperties: false },
);

const PageWrapper = Type.Object(
  {
    page_number: Type.Integer({ description: 'The number of this page, as requested.', examples: [1] }),
    total_count: Type.Integer({ description: 'Exact number of clients that match.', examples: [1] }),
    page_limit: Type.Integer({
      description: 'The maximum number of clients per page, as requested.',
      examples: [PAGE_LIMIT_DEFAULT],
    }),
    total_pages: Type.Integer({
      description: 'Number of pages that contain clients; 0 when no client matches.',
      examples: [1],
    }),
    results: Type.Array(ListedClient, { description: 'The clients on this page, in the requested order.' }),
  },
  { title: 'ClientsPage', description: 'One page of clients, with the totals.', additionalProperties: false },
);

const PATH = '/api/v1/clients-list/';

export interface ListClientsDeps extends CachedAnswerDeps {
  clients: ClientPages;
}

export const listClientsRoute = (deps: ListClientsDeps): ApiRoute => {
  const largePages = new LargePageQueue();
  return defineApiRoute({
    methods: ['GET'],
    path: PATH,
    operationId: 'listClients',
    summary: 'List clients',
    description:
      'The clients of the workspace that the token was issued for, newest first unless `order` says otherwise. When several filters are given, clients must match all of them. A page beyond the last one is empty.',
    access: { scope: 'clients:read' },
    query: ListClientsQuery,
    parsesOwnQuery: true,
    data: PageWrapper,
    others: {
      304: 'The page has not changed since the `ETag` that was sent in `If-None-Match`.',
      ...READING_FAILURES,
    },
    headers: {
      ETag: 'Identifies the current state of this page; send it back in `If-None-Match`.',
      Link: '`first`, `prev`, `next`, `last`, as paths without a host: put the base address before them. Following `next` to the end returns every client exactly once.',
    },
    handle: (context, succeed) =>
      cachedAnswer(deps, context, {
        name: 'list',
        checkQuery: () => toRequest(context.query, context.queryString),
        make: (etagAt) => {
          const { query } = context;
          const request = toRequest(query, context.queryString);
          const make = async () => {
            const page = await listClients(deps, context.workspaceId, request);
            const headers = ['ETag', etagAt(page.stamp), 'Link', linksOf(PATH, query, page)];
            return { stamp: page.stamp, answer: succeed(toWrapper(page, query.include), headers) };
          };
          return request.pageLimit > LARGE_PAGE_CLIENTS ? largePages.add(make) : make();
        },
      }),
  });
};

function toWrapper(page: ClientsPage, include: readonly Includable[] | undefined): Static<typeof PageWrapper> {
  return {
    page_number: page.pageNumber,
    total_count: page.totalCount,
    page_limit: page.pageLimit,
    total_pages: page.totalPages,
    results: page.clients.map((client) => toListed(client, include)),
  };
}

function toRequest(query: Static<typeof ListClientsQuery>, queryString: string): ListClientsRequest {
  const page = toPageRequest(query);
  if (queryString.length > QUERY_MAX_LENGTH) {
    throw new Failure(
      'bad_parameter',
      `query string must have at most ${QUERY_MAX_LENGTH} characters, so that the address of the next page fits; ask for fewer ids.`,
    );
  }
  if (query.cursor !== undefined && (query.page_no ?? query.page) !== undefined) {
    throw new Failure('bad_parameter', 'cursor replaces page_no; give only one of them.');
  }
  return {
    ...toFilter(query),
    ...page,
    cursor: query.cursor,
    order: query.order,
    withUpdatedAt: query.include?.includes('updated_at'),
  };
}
