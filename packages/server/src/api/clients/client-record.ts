import { type Static, Type } from 'typebox';
import { checksum } from '../../domain/checksum.ts';
import type { VersionedClient } from '../../domain/clients/client.ts';
import { ListedClient, toListed } from './listed-client.ts';

const { external_id, updated_at, ...listed } = ListedClient.properties;

/** A client with all of its fields. */
export const ClientRecord = Type.Object(
  {
    ...listed,
    external_id: Type.Union([Type.Null(), Type.String()], {
      description: 'The id in your own system, or null if the client has none.',
      examples: ['CRM-1815'],
    }),
    updated_at: Type.String({
      format: 'date-time',
      description: 'When the client was last changed, UTC with milliseconds.',
      examples: ['2026-02-03T14:05:10.250Z'],
    }),
  },
  { title: 'ClientRecord', description: 'A client with all of its fields.', additionalProperties: false },
);

export function toClientRecord(client: VersionedClient): Static<typeof ClientRecord> {
  return toListed(client, ['external_id', 'updated_at']) as Static<typeof ClientRecord>;
}

/** Differs whenever the client was changed, and when its group was renamed. */
export function etagOfClient(client: VersionedClient): string {
  return `"${client.version.toString(36)}-${checksum(JSON.stringify(toClientRecord(client)))}"`;
}

/** The path of a client. */
export const CLIENT_PATH = '/api/v1/clients/:reference_id/';

export function locationOf({ referenceId }: VersionedClient): string {
  return CLIENT_PATH.replace(':reference_id', referenceId);
}
