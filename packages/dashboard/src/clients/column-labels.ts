import type { Column } from '#contract/clients/files.ts';

/** The fields that an import reads, as members read them, in the order in which they are offered. */
export const COLUMN_LABELS: Record<Column, string> = {
  email: 'Email',
  client_name: 'Client name',
  client_type: 'Client type',
  group_name: 'Group',
  request_status: 'Request status',
  client_status: 'Client status',
  created_at: 'Added',
  reference_id: 'Reference ID',
  group_token: 'Group token',
  external_id: 'External ID',
};
