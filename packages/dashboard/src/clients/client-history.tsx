import { Text } from '@mantine/core';
import type { ClientDetail } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';
import { ACTOR_LABELS, CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, labelOf, REQUEST_STATUS_LABELS } from '../labels.ts';

type Event = ClientDetail['history'][number];

const FIELD_LABELS = {
  email: 'Email',
  client_name: 'Name',
  client_type: 'Type',
  group_name: 'Group',
  request_status: 'Request status',
  client_status: 'Client status',
  created_at: 'Added',
  external_id: 'External ID',
} as const satisfies Record<keyof NonNullable<Event['to']>, string>;
type Field = keyof typeof FIELD_LABELS;

/** The labels of fields that hold one of a few values. */
const VALUE_LABELS: Partial<Record<Field, Record<string, string>>> = {
  client_type: CLIENT_TYPE_LABELS,
  request_status: REQUEST_STATUS_LABELS,
  client_status: CLIENT_STATUS_LABELS,
};

export function ClientHistory({ events }: { events: Event[] }) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.at} ${JSON.stringify(event.to)}`}>
          {event.kind === 'changed' ? (
            changedFields(event).map((field) => <FieldChange key={field} event={event} field={field} />)
          ) : (
            <Text size="sm">{event.kind === 'added' ? 'Added' : 'Erased'}</Text>
          )}
          {event.reason !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              Reason: {event.reason}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {labelOf(ACTOR_LABELS, event.actor)}, <Time value={event.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}

function changedFields({ to }: Event): Field[] {
  return (Object.keys(FIELD_LABELS) as Field[]).filter((field) => to?.[field] !== undefined);
}

function FieldChange({ event: { from, to }, field }: { event: Event; field: Field }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {FIELD_LABELS[field]}: <Value field={field} value={from?.[field]} /> → <Value field={field} value={to?.[field]} />
    </Text>
  );
}

function Value({ field, value }: { field: Field; value: string | undefined }) {
  if (value === undefined) return 'unknown';
  if (value === '') return 'none';
  if (field === 'created_at') return <Time value={value} as="date-time-seconds" />;
  return labelOf(VALUE_LABELS[field] ?? {}, value);
}
