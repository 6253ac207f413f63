import { type Static, Type } from 'typebox';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../domain/clients/client.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import {
  type ClientSummaries,
  type ClientSummary,
  SUMMARY_GROUPS_MAX,
  summariseClients,
} from '../../domain/clients/summarise-clients.ts';
import { type ApiRoute, defineApiRoute } from '../define-route.ts';
import { type CachedAnswerDeps, cachedAnswer } from './cached-answer.ts';
import { CLIENT_FILTERS, toFilter } from './client-filters.ts';
import { READING_FAILURES } from './reading-failures.ts';

const SummaryQuery = Type.Object(CLIENT_FILTERS, { additionalProperties: false });

const EXAMPLE_COUNT = 149;

const Count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

/** In the example, all clients have the first value. */
const counts = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Object(
    Object.fromEntries(
      names.map((name, index) => [name, Type.Integer({ examples: [index === 0 ? EXAMPLE_COUNT : 0] })]),
    ) as Record<Name, ReturnType<typeof Type.Integer>>,
    { description, additionalProperties: false },
  );

const Summary = Type.Object(
  {
    total_count: Count('Exact number of clients that match.', EXAMPLE_COUNT),
    by_request_status: counts(
      REQUEST_STATUSES,
      'The number of clients in each request status, with the statuses in lower case.',
    ),
    by_client_type: counts(CLIENT_TYPES, 'The number of persons and of companies.'),
    by_client_status: counts(CLIENT_STATUSES, 'The number of active and of inactive clients.'),
    by_group: Type.Array(
      Type.Object(
        {
          group_name: Type.String({ description: 'The name of the group.', examples: ['Partners'] }),
          group_token: Type.String({
            format: 'uuid',
            description: 'Unique token of the group, a UUID.',
            examples: ['0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90'],
          }),
          total_count: Count('The number of its clients that match.', EXAMPLE_COUNT),
        },
        { additionalProperties: false },
      ),
      {
        description: `The ${SUMMARY_GROUPS_MAX} groups with the most clients that match, the largest first, then by name.`,
      },
    ),
    other_groups_count: Count('How many further groups have clients that match.', 0),
  },
  { title: 'ClientsSummary', description: 'How many clients match, by each property.', additionalProperties: false },
);

const PATH = '/api/v1/clients-summary/';

export interface SummariseClientsDeps extends CachedAnswerDeps {
  summaries: ClientSummaries;
}

export const summariseClientsRoute = (deps: SummariseClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: PATH,
    operationId: 'summariseClients',
    summary: 'Count clients',
    description:
      'How many clients of the workspace there are: in total, by request status, type and client status, and by group. It takes the filters of the list, and all figures are exact and of the same moment.',
    access: { scope: 'clients:read' },
    query: SummaryQuery,
    parsesOwnQuery: true,
    data: Summary,
    others: {
      304: 'The figures have not changed since the `ETag` that was sent in `If-None-Match`.',
      ...READING_FAILURES,
    },
    headers: { ETag: 'Identifies the current state of these figures; send it back in `If-None-Match`.' },
    handle: (context, succeed) =>
      cachedAnswer(deps, context, {
        name: 'summary',
        checkQuery: () => toFilter(context.query),
        make: async (etagAt) => {
          const summary = await summariseClients(deps, context.workspaceId, toFilter(context.query), {
            signal: context.signal,
          });
          return { stamp: summary.stamp, answer: succeed(toRecord(summary), ['ETag', etagAt(summary.stamp)]) };
        },
      }),
  });

function toRecord(summary: ClientSummary): Static<typeof Summary> {
  return {
    total_count: summary.totalCount,
    by_request_status: summary.byRequestStatus,
    by_client_type: summary.byClientType,
    by_client_status: summary.byClientStatus,
    by_group: summary.largestGroups.map(({ name, token, clients }) => {
      return { group_name: name, group_token: token, total_count: clients };
    }),
    other_groups_count: summary.otherGroupsCount,
  };
}
