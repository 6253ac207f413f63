import { type Static, Type } from 'typebox';
import { CLIENT_STATUSES, CLIENT_TYPES, EXTERNAL_ID_MAX_LENGTH } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { REFERENCE_ID_PATTERN } from '../../domain/clients/reference-id-shape.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { parseInstant } from '../../domain/time.ts';

const GROUP_TOKENS_MAX = 20;
const IDS_MAX = 100;

/** The filters of every address that is about clients. */
export const CLIENT_FILTERS = {
  client_email: Type.Optional(
    Type.String({
      description: "The client's whole email; letter case is ignored. An empty value means no filter.",
      examples: ['ada@mail.example'],
    }),
  ),
  request_status: Type.Optional(
    Type.Array(Type.Enum([...REQUEST_STATUSES]), {
      description: 'One or several, separated by commas, in any letter case. An empty value means no filter.',
    }),
  ),
  client_type: Type.Optional(
    Type.Enum([...CLIENT_TYPES], {
      description: 'Persons or companies, in any letter case. An empty value means no filter.',
    }),
  ),
  client_status: Type.Optional(
    Type.Enum([...CLIENT_STATUSES], {
      description: 'Active or inactive clients, in any letter case. An empty value means no filter.',
    }),
  ),
  group_name: Type.Optional(
    Type.String({
      description: "The group's whole name; letter case is ignored. An empty value means no filter.",
      examples: ['Partners'],
    }),
  ),
  group_token: Type.Optional(
    Type.Array(Type.String({ format: 'uuid', examples: ['0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90'] }), {
      maxItems: GROUP_TOKENS_MAX,
      description: `The tokens of up to ${GROUP_TOKENS_MAX} groups, separated by commas.`,
    }),
  ),
  reference_id: Type.Optional(
    Type.Array(Type.String({ pattern: REFERENCE_ID_PATTERN, examples: ['1769850600000-000000000001'] }), {
      maxItems: IDS_MAX,
      description: `The references of up to ${IDS_MAX} clients, separated by commas.`,
    }),
  ),
  external_id: Type.Optional(
    Type.Array(Type.String({ maxLength: EXTERNAL_ID_MAX_LENGTH, examples: ['CRM-1815'] }), {
      maxItems: IDS_MAX,
      description: `The external ids of up to ${IDS_MAX} clients, separated by commas. Letter case matters.`,
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
};

const Filters = Type.Object(CLIENT_FILTERS);

export function toFilter(query: Static<typeof Filters>): ClientFilter {
  return {
    email: query.client_email,
    groupName: query.group_name,
    groupTokens: query.group_token?.map((token) => token.toLowerCase()),
    requestStatuses: query.request_status,
    clientType: query.client_type,
    clientStatus: query.client_status,
    referenceIds: query.reference_id,
    externalIds: query.external_id,
    createdFrom: query.created_from === undefined ? undefined : parseInstant(query.created_from),
    createdUntil: query.created_to === undefined ? undefined : parseInstant(query.created_to),
  };
}
