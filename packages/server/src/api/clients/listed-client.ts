import { type Static, Type } from 'typebox';
import { CLIENT_STATUSES, CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import { formatTime } from '../../domain/time.ts';

/** The API writes request statuses with a capital letter. */
export const LISTED_STATUS = {
  pending: 'Pending',
  declined: 'Declined',
  completed: 'Completed',
  accepted: 'Accepted',
  requested: 'Requested',
} as const satisfies Record<RequestStatus, string>;

/** The fields of a client that are listed only if they were asked for. */
export const INCLUDABLE = ['external_id', 'updated_at'] as const;
export type Includable = (typeof INCLUDABLE)[number];

export const ListedClient = Type.Object(
  {
    reference_id: Type.String({
      description: 'Unique reference identifier of the client.',
      examples: ['1769850600000-000000000001'],
    }),
    email: Type.String({ description: 'The email of the client, as it was given.', examples: ['ada@mail.example'] }),
    client_name: Type.String({ description: 'The name of the client.', examples: ['Ada Lovelace'] }),
    client_type: Type.Enum([...CLIENT_TYPES], { description: 'Whether the client is a person or a company.' }),
    group_name: Type.String({
      description: 'The name of the group that the client belongs to.',
      examples: ['Partners'],
    }),
    group_token: Type.String({
      format: 'uuid',
      description: 'Unique token of the group, a UUID.',
      examples: ['0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90'],
    }),
    request_status: Type.Enum(Object.values(LISTED_STATUS), {
      description: 'The status of the request to the client.',
    }),
    client_status: Type.Enum([...CLIENT_STATUSES], { description: 'Whether the client is active.' }),
    created_at: Type.String({
      format: 'date-time',
      description: 'When the client was created: UTC with milliseconds.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    external_id: Type.Optional(
      Type.Union([Type.Null(), Type.String()], {
        description: 'Only with `include=external_id`: the id in your own system, or null if the client has none.',
        examples: ['CRM-1815'],
      }),
    ),
    updated_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only with `include=updated_at`: when the client was last changed, UTC with milliseconds.',
        examples: ['2026-02-03T14:05:10.250Z'],
      }),
    ),
  },
  { title: 'Client', description: 'A client and its status.', additionalProperties: false },
);

export function toListed(client: Client, include: readonly Includable[] = []): Static<typeof ListedClient> {
  const listed: Static<typeof ListedClient> = {
    reference_id: client.referenceId,
    email: client.email,
    client_name: client.name,
    client_type: client.type,
    group_name: client.groupName,
    group_token: client.groupToken,
    request_status: LISTED_STATUS[client.requestStatus],
    client_status: client.status,
    created_at: formatTime(client.createdAt),
  };
  if (include.includes('external_id')) listed.external_id = client.externalId;
  if (include.includes('updated_at')) listed.updated_at = formatTime(client.updatedAt ?? client.createdAt);
  return listed;
}
