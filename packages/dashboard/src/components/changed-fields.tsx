import { Text } from '@mantine/core';
import type { ChangedFields as Fields } from '#contract/members/index.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { Time } from './time.tsx';

const FIELD_LABELS = {
  email: 'Email',
  client_name: 'Name',
  client_type: 'Type',
  group_name: 'Group',
  request_status: 'Request status',
  client_status: 'Client status',
  created_at: 'Added',
  external_id: 'External ID',
  assignee: 'Assignee',
  name: 'Name',
  note: 'Note',
  allowed_networks: 'Allowed addresses',
  expires_at: 'Expiry',
  rate_limit: 'Rate limit',
} as const satisfies Record<keyof Fields, string>;
type Field = keyof typeof FIELD_LABELS;

/** The labels of fields that hold one of a few values. */
const VALUE_LABELS: Partial<Record<Field, Record<string, string>>> = {
  client_type: CLIENT_TYPE_LABELS,
  request_status: REQUEST_STATUS_LABELS,
  client_status: CLIENT_STATUS_LABELS,
};

/** What a field without a value means, if not `none`. */
const EMPTY_LABELS: Partial<Record<Field, string>> = {
  assignee: 'nobody',
  allowed_networks: 'any',
  expires_at: 'never',
  rate_limit: 'as for all keys',
};

/** What a change of a client or an API key has changed, with one line for each field. */
export function ChangedFields({ from, to }: { from: Fields | null; to: Fields | null }) {
  const fields = (Object.keys(FIELD_LABELS) as Field[]).filter((field) => to?.[field] !== undefined);
  return fields.map((field) => (
    <Text key={field} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {FIELD_LABELS[field]}: <Value field={field} value={from?.[field]} /> → <Value field={field} value={to?.[field]} />
    </Text>
  ));
}

/** Why a client was changed, if somebody said so. */
export function Reason({ reason }: { reason: string | null }) {
  return (
    reason !== null && (
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
        Reason: {reason}
      </Text>
    )
  );
}

function Value({ field, value }: { field: Field; value: string | undefined }) {
  if (value === undefined) return 'unknown';
  if (value === '') return EMPTY_LABELS[field] ?? 'none';
  if (field === 'created_at' || field === 'expires_at') return <Time value={value} as="date-time-seconds" />;
  return labelOf(VALUE_LABELS[field] ?? {}, value);
}
