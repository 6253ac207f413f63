import { Text } from '@mantine/core';
import type { ClientDetail } from '#contract/clients/clients.ts';
import { ChangedFields, Reason } from '../components/changed-fields.tsx';
import { Time } from '../components/time.tsx';
import { ACTOR_LABELS, labelOf } from '../labels.ts';

export function ClientHistory({ events }: { events: ClientDetail['history'] }) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.at} ${JSON.stringify(event.to)}`}>
          {event.kind === 'changed' ? (
            <ChangedFields from={event.from} to={event.to} />
          ) : (
            <Text size="sm">{event.kind === 'added' ? 'Added' : 'Erased'}</Text>
          )}
          <Reason reason={event.reason} />
          <Text size="xs" c="dimmed">
            {labelOf(ACTOR_LABELS, event.actor)}
            {event.address !== null && ` from ${event.address}`}, <Time value={event.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}
