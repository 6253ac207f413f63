import { Text } from '@mantine/core';
import type { ClientDetail } from '#contract/clients/clients.ts';
import { ChangedFields, Reason } from '../components/changed-fields.tsx';
import { Time } from '../components/time.tsx';
import { ACTOR_LABELS, labelOf } from '../labels.ts';

interface ClientHistoryProps {
  events: ClientDetail['history'];
  /** When the client was added, according to whoever has added it. */
  createdAt?: string;
}

export function ClientHistory({ events, createdAt }: ClientHistoryProps) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.at} ${JSON.stringify(event.to)}`}>
          {event.kind === 'changed' ? (
            <ChangedFields from={event.from} to={event.to} />
          ) : (
            <Text size="sm">{event.kind === 'added' ? additionText(event.at, createdAt) : 'Erased'}</Text>
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

const MINUTE_MS = 60_000;

/** A file or a program can say that a client was added earlier than it came here. */
function additionText(at: string, createdAt = at): string {
  return Math.abs(Date.parse(at) - Date.parse(createdAt)) < MINUTE_MS ? 'Added' : 'Recorded here';
}
