import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ClientDetail } from '#contract/clients/clients.ts';
import { SAMPLE_CLIENTS } from '#contract/clients/index.ts';
import { Actor } from '../components/actor.tsx';
import { Address } from '../components/address.tsx';
import { ChangedFields, Reason } from '../components/changed-fields.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { importedFrom } from '../imported-from.ts';

type Event = ClientDetail['history'][number];

interface ClientHistoryProps {
  events: readonly Event[];
  /** When the client was added, according to whoever has added it. */
  createdAt: string;
}

export function ClientHistory({ events, createdAt }: ClientHistoryProps) {
  const environment = useEnvironment();
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={`${event.at} ${JSON.stringify(event.to)}`}>
          {event.kind === 'changed' && <ChangedFields from={event.from} to={event.to} />}
          {event.imported ? (
            <Imported {...event.imported} />
          ) : (
            event.kind !== 'changed' && (
              <Text size="sm">{event.kind === 'added' ? additionText(event.at, createdAt) : 'Erased'}</Text>
            )
          )}
          <Reason reason={event.reason} />
          <Text size="xs" c="dimmed">
            <Actor name={event.actor} keyName={event.by_key} environment={environment} />
            {event.address !== null && (
              <>
                {' '}
                from <Address value={event.address} />
              </>
            )}
            , <Time value={event.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}

/** Leads to the import, as long as it has a page. */
function Imported({ name, import_id: importId }: NonNullable<Event['imported']>) {
  const environment = useEnvironment();
  if (name === SAMPLE_CLIENTS) return <Text size="sm">Added as a sample client</Text>;
  const from = importedFrom(name);
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Imported from{' '}
      {importId === null ? (
        from
      ) : (
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link to="/$environment/import/$importId" params={{ environment, importId }} {...props} />
          )}
        >
          {from}
        </Anchor>
      )}
    </Text>
  );
}

const MINUTE_MS = 60_000;

/** A file or a program can say that a client was added earlier than it came here. */
function additionText(at: string, createdAt: string): string {
  return Math.abs(Date.parse(at) - Date.parse(createdAt)) < MINUTE_MS ? 'Added' : 'Recorded here';
}
