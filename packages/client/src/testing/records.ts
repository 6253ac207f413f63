import type { Client, ClientRecord } from '../generated/api.ts';

/** The record of the client with this number, with the given fields. */
export function aRecord(number: number, fields: Partial<Client> = {}): Client {
  const createdAt = Date.parse('2026-01-01T00:00:00.000Z') + number * 1000;
  return {
    reference_id: `${createdAt}-${String(number).padStart(4, '0')}`,
    email: `client${number}@mail.example`,
    client_name: `Client ${number}`,
    client_type: 'individual',
    group_name: 'Everyone',
    group_token: '3f2b8a44-6a1c-4c53-9a3e-0d5c2f7b9e10',
    request_status: 'Requested',
    client_status: 'active',
    created_at: new Date(createdAt).toISOString(),
    ...fields,
  };
}

/** The same with the fields that lists show only if they are asked for. */
export function aFullRecord(number: number, fields: Partial<ClientRecord> = {}): ClientRecord {
  const record = aRecord(number);
  return { ...record, external_id: null, updated_at: record.created_at, ...fields };
}
