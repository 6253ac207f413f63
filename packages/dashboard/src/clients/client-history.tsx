import { Text } from '@mantine/core';
import type { ClientDetail } from '#contract/clients/clients.ts';
import { Time } from '../components/time.tsx';

type Event = ClientDetail['history'][number];

const FIELD = {
  email: 'Email',
  client_name: 'Name',
  client_type: 'Type',
  group_name: 'Group',
  request_status: 'Status',
  client_status: 'Client status',
  created_at: 'Added',
} as const satisfies Record<keyof NonNullable<Event['to']>, string>;
type Field = keyof typeof FIELD;

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
          <Text size="xs" c="dimmed">
            {event.actor}, <Time value={event.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}

function changedFields({ to }: Event): Field[] {
  return (Object.keys(FIELD) as Field[]).filter((field) => to?.[field] !== undefined);
}

function FieldChange({ event: { from, to }, field }: { event: Event; field: Field }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {FIELD[field]}: <Value field={field} value={from?.[field]} /> → <Value field={field} value={to?.[field]} />
    </Text>
  );
}

function Value({ field, value = '?' }: { field: Field; value: string | undefined }) {
  return field === 'created_at' && value !== '?' ? <Time value={value} as="to-the-second" /> : value;
}
