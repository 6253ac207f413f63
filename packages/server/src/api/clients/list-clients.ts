import { type Static, Type } from 'typebox';
import { CLIENT_STATUSES, CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import { toRecord } from '../../domain/clients/client-record.ts';
import {
  type ClientPages,
  type ClientsPage,
  LIST_ORDERS,
  type ListClientsRequest,
  listClients,
} from '../../domain/clients/list-clients.ts';
import { REFERENCE_ID_PATTERN } from '../../domain/clients/reference-id.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../domain/clients/request-status.ts';
import { Failure } from '../../domain/failure.ts';
import { parseInstant } from '../../domain/time.ts';
import type { WorkspaceVersions } from '../../domain/workspace.ts';
import { emptyAnswer } from '../../http/answer.ts';
import { compressAnswer } from '../../http/content-encoding.ts';
import { type ApiRoute, defineApiRoute } from '../define-route.ts';
import { etagOf, findEtag } from './etag.ts';
import { LARGE_PAGE_CLIENTS, LargePageQueue } from './large-page-queue.ts';
import { linksOf } from './links.ts';
import type { PageCache } from './page-cache.ts';

const PAGE_NUMBER_MAX = 1_000_000_000;
const PAGE_LIMIT_MAX = 1000;
const PAGE_LIMIT_DEFAULT = 10;
const GROUP_TOKENS_MAX = 20;
const REFERENCES_MAX = 100;

const ListClientsQuery = Type.Object(
  {
    page_no: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PAGE_NUMBER_MAX, default: 1, description: 'Page number to return.' }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_NUMBER_MAX, description: 'Alias of `page_no`.' })),
    page_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAGE_LIMIT_MAX,
        default: PAGE_LIMIT_DEFAULT,
        description: 'Maximum results per page.',
      }),
    ),
    client_email: Type.Optional(
      Type.String({ description: "The client's whole email; letter case is ignored. An empty value means no filter." }),
    ),
    request_status: Type.Optional(
      Type.Array(Type.Enum([...REQUEST_STATUSES]), {
        description: 'One or several, separated by commas, in any letter case. An empty value means no filter.',
      }),
    ),
    client_type: Type.Optional(
      Type.Enum([...CLIENT_TYPES], { description: 'In any letter case. An empty value means no filter.' }),
    ),
    group_name: Type.Optional(
      Type.String({ description: "The group's whole name; letter case is ignored. An empty value means no filter." }),
    ),
    group_token: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: GROUP_TOKENS_MAX,
        description: `The tokens of up to ${GROUP_TOKENS_MAX} groups, separated by commas.`,
      }),
    ),
    reference_id: Type.Optional(
      Type.Array(Type.String({ pattern: REFERENCE_ID_PATTERN, examples: ['1769850600000-000000000001'] }), {
        maxItems: REFERENCES_MAX,
        description: `The references of up to ${REFERENCES_MAX} clients, separated by commas.`,
      }),
    ),
    created_from: Type.Optional(
      Type.String({
        format: 'instant',
        description: 'Clients created at this time or later: an RFC 3339 time, or a date (its beginning in UTC).',
        examples: ['2026-01-31', '2026-01-31T09:30:00Z'],
      }),
    ),
    created_to: Type.Optional(
      Type.String({
        format: 'instant',
        description: 'Clients created before this time: an RFC 3339 time, or a date (its beginning in UTC).',
        examples: ['2026-02-28', '2026-02-28T09:30:00Z'],
      }),
    ),
    order: Type.Optional(
      Type.Enum([...LIST_ORDERS], { default: 'newest', description: 'Which clients come first, by creation time.' }),
    ),
    cursor: Type.Optional(
      Type.String({
        description: 'Instead of `page_no`: the position to continue from, taken from the `Link` header. Opaque.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The API writes request statuses with a capital letter. */
const LISTED_STATUS = {
  pending: 'Pending',
  declined: 'Declined',
  completed: 'Completed',
  accepted: 'Accepted',
  requested: 'Requested',
} as const satisfies Record<RequestStatus, string>;

const ClientRecord = Type.Object(
  {
    reference_id: Type.String({ description: 'Unique reference identifier of the client.' }),
    email: Type.String({ description: 'The email of the client, as it was given.' }),
    client_name: Type.String({ description: 'The name of the client.' }),
    client_type: Type.Enum([...CLIENT_TYPES], { description: 'Whether the client is a person or a company.' }),
    group_name: Type.String({ description: 'The name of the group that the client belongs to.' }),
    group_token: Type.String({ description: 'Unique token of the group, a UUID.' }),
    request_status: Type.Enum(Object.values(LISTED_STATUS), {
      description: 'The status of the request to the client.',
    }),
    client_status: Type.Enum([...CLIENT_STATUSES], { description: 'Whether the client is active.' }),
    created_at: Type.String({
      description: 'When the client was created: UTC with milliseconds.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'Client', description: 'A client and its status.', additionalProperties: false },
);

const PageWrapper = Type.Object(
  {
    page_number: Type.Integer({ description: 'The number of this page, as requested.' }),
    total_count: Type.Integer({ description: 'Exact number of clients that match.' }),
    page_limit: Type.Integer({ description: 'The maximum number of clients per page, as requested.' }),
    total_pages: Type.Integer({ description: 'Number of pages that contain clients; 0 when no client matches.' }),
    results: Type.Array(ClientRecord, { description: 'The clients on this page, in the requested order.' }),
  },
  { description: 'One page of clients, with the totals.', additionalProperties: false },
);

const PATH = '/api/v1/clients-list/';

export interface ListClientsDeps {
  clients: ClientPages;
  versions: WorkspaceVersions;
  pageCache: PageCache;
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
      400: 'A parameter is unknown, given twice or invalid. The message begins with its name.',
      401: 'The access token is missing, invalid, expired, revoked or not allowed from this address.',
      403: 'The API key does not have the scope `clients:read`.',
      429: 'The API key makes too many calls; try again after `Retry-After` seconds.',
      503: 'The service lacks storage or capacity; try again after `Retry-After` seconds.',
    },
    headers: {
      ETag: 'Identifies the current state of this page; send it back in `If-None-Match`.',
      Link: '`first`, `prev`, `next`, `last`. Following `next` to the end returns every client exactly once.',
    },
    handle: async (context, succeed) => {
      const { workspaceId, queryString, contentEncoding } = context;
      const stamp = await deps.versions.current(workspaceId);
      const callerEtags = context.header('if-none-match');
      if (callerEtags.length > 0) {
        // A query that would be refused must not be answered with "not modified".
        toRequest(context.query);
        const known = findEtag(callerEtags, etagOf(workspaceId, stamp, queryString));
        if (known !== undefined) return emptyAnswer(304, ['ETag', known]);
      }
      const cached = deps.pageCache.get({ workspaceId, stamp, contentEncoding, queryString });
      if (cached) return cached;

      const { query } = context;
      const request = toRequest(query);
      const make = async () => {
        const page = await listClients(deps, workspaceId, request);
        const etag = etagOf(workspaceId, page.stamp, queryString);
        const plain = succeed(toWrapper(page), ['ETag', etag, 'Link', linksOf(PATH, query, page)]);
        const answer = compressAnswer(plain, contentEncoding);
        deps.pageCache.offer({ workspaceId, stamp: page.stamp, contentEncoding, queryString }, answer);
        return answer;
      };
      return request.pageLimit > LARGE_PAGE_CLIENTS ? largePages.add(make) : make();
    },
  });
};

function toWrapper(page: ClientsPage): Static<typeof PageWrapper> {
  return {
    page_number: page.pageNumber,
    total_count: page.totalCount,
    page_limit: page.pageLimit,
    total_pages: page.totalPages,
    results: page.clients.map(toListed),
  };
}

function toRequest(query: Static<typeof ListClientsQuery>): ListClientsRequest {
  if (query.page !== undefined && query.page_no !== undefined && query.page !== query.page_no) {
    throw new Failure(
      'bad_parameter',
      'page is an alias of page_no; give only one of them, or the same value for both.',
    );
  }
  if (query.cursor !== undefined && (query.page_no ?? query.page) !== undefined) {
    throw new Failure('bad_parameter', 'cursor replaces page_no; give only one of them.');
  }
  return {
    cursor: query.cursor,
    pageNumber: query.page_no ?? query.page ?? 1,
    pageLimit: query.page_limit ?? PAGE_LIMIT_DEFAULT,
    email: query.client_email,
    groupName: query.group_name,
    groupTokens: query.group_token?.map((token) => token.toLowerCase()),
    requestStatuses: query.request_status,
    clientType: query.client_type,
    referenceIds: query.reference_id,
    createdFrom: query.created_from === undefined ? undefined : parseInstant(query.created_from),
    createdUntil: query.created_to === undefined ? undefined : parseInstant(query.created_to),
    order: query.order,
  };
}

function toListed(client: Client): Static<typeof ClientRecord> {
  return { ...toRecord(client), request_status: LISTED_STATUS[client.requestStatus] };
}
