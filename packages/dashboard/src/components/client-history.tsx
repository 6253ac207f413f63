import { Text } from '@mantine/core';
import type { ClientDetail } from '#contract/clients.ts';
import { Time } from './time.tsx';

type Event = ClientDetail['history'][number];

const FIELD = {
  email: 'Email',
  client_name: 'Name',
  client_type: 'Type',
  group_name: 'Group',
  request_status: 'Status',
  client_status: 'Client status',
} as const;

export function ClientHistory({ events }: { events: Event[] }) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.at} ${JSON.stringify(event.to)}`}>
          {linesOf(event).map((line) => (
            <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {line}
            </Text>
          ))}
          <Text size="xs" c="dimmed">
            {event.actor}, <Time value={event.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}

function linesOf({ kind, from, to }: Event): string[] {
  if (kind !== 'changed' || !to) return [kind === 'added' ? 'Added' : 'Erased'];
  return (Object.keys(FIELD) as (keyof typeof FIELD)[]).flatMap((field) =>
    to[field] === undefined ? [] : `${FIELD[field]}: ${from?.[field] ?? '?'} → ${to[field]}`,
  );
}
