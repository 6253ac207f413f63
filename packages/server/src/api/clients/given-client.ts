import { type Static, Type } from 'typebox';
import {
  CLIENT_NAME_MAX_LENGTH,
  CLIENT_STATUSES,
  CLIENT_TYPES,
  EXTERNAL_ID_MAX_LENGTH,
} from '../../domain/clients/client.ts';
import { GROUP_NAME_MAX_LENGTH } from '../../domain/clients/group.ts';
import { REASON_MAX_LENGTH } from '../../domain/clients/reason.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import type { GivenClient, GivenPatch } from '../../domain/clients/write-clients.ts';
import { parseTime } from '../../domain/time.ts';
import { LISTED_STATUS } from './listed-client.ts';

/** As they are listed, or in small letters. */
const GIVEN_STATUSES = Object.entries(LISTED_STATUS).flat();

const email = Type.String({ format: 'email', description: 'The email of the client.', examples: ['ada@mail.example'] });
const client_name = Type.String({
  minLength: 1,
  maxLength: CLIENT_NAME_MAX_LENGTH,
  description: 'The name of the client.',
  examples: ['Ada Lovelace'],
});
const client_type = Type.Enum([...CLIENT_TYPES], { description: 'Whether the client is a person or a company.' });

const OPTIONAL = {
  group_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: GROUP_NAME_MAX_LENGTH,
      description: 'The group of the client. It is created if there is none with this name.',
      examples: ['Partners'],
    }),
  ),
  group_token: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Instead of `group_name`: the token of a group.',
      examples: ['0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90'],
    }),
  ),
  request_status: Type.Optional(
    Type.Enum(GIVEN_STATUSES, { description: 'The status of the request to the client. `requested` if it is new.' }),
  ),
  client_status: Type.Optional(
    Type.Enum([...CLIENT_STATUSES], { description: 'Whether the client is active. `active` if it is new.' }),
  ),
};

const external_id = Type.Optional(
  Type.Union([Type.Null(), Type.String({ maxLength: EXTERNAL_ID_MAX_LENGTH })], {
    description: 'The id in your own system, without commas; null for none. No other client may have it.',
    examples: ['CRM-1815'],
  }),
);
const created_at = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'When the client was created, which is not in the future. Now, unless it is given.',
    examples: ['2026-01-31T09:30:00.000Z'],
  }),
);
const reason = Type.Optional(
  Type.String({
    maxLength: REASON_MAX_LENGTH,
    description: 'Why the client is changed, for its history. Not kept if nothing changes, or if the client is added.',
    examples: ['The documents were complete.'],
  }),
);

export const NewClient = Type.Object(
  { email, client_name, client_type, ...OPTIONAL, external_id, created_at },
  {
    title: 'NewClient',
    description: 'A client to add, with its group by name or by token.',
    examples: [
      { email: 'ada@mail.example', client_name: 'Ada Lovelace', client_type: 'individual', group_name: 'Partners' },
    ],
    additionalProperties: false,
  },
);

const CHANGEABLE = {
  email: Type.Optional(email),
  client_name: Type.Optional(client_name),
  client_type: Type.Optional(client_type),
  ...OPTIONAL,
};

export const ClientPatch = Type.Object(
  { ...CHANGEABLE, external_id, reason },
  {
    title: 'ClientPatch',
    description: 'The fields of a client to change.',
    examples: [{ request_status: 'accepted', reason: 'Signed the agreement.' }],
    additionalProperties: false,
  },
);

export const ClientByExternalId = Type.Object(
  { ...CHANGEABLE, created_at, reason },
  {
    title: 'ClientByExternalId',
    description: 'The fields to change of the client that has an external id, or to add a client with it.',
    examples: [
      { email: 'ada@mail.example', client_name: 'Ada Lovelace', client_type: 'individual', group_name: 'Partners' },
    ],
    additionalProperties: false,
  },
);

export function toGivenClient(body: Static<typeof NewClient>): GivenClient {
  const { email, client_name: name, client_type: type, created_at } = body;
  return { ...toGivenPatch(body), email, name, type, createdAt: toTime(created_at) };
}

export function toGivenPatch(body: Static<typeof ClientPatch> & { created_at?: string }): GivenPatch {
  return {
    email: body.email,
    name: body.client_name,
    type: body.client_type,
    groupName: body.group_name,
    groupToken: body.group_token,
    requestStatus: body.request_status?.toLowerCase() as RequestStatus | undefined,
    status: body.client_status,
    externalId: body.external_id,
  };
}

/** The schema has already been checked. */
export function toTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text);
}
