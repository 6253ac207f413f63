import { Anchor, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useMatch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { BulkChangeRecord } from '#contract/clients/bulk-changes.ts';
import { useEnvironment } from '../environment.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import { isBulkChangeOver, latestBulkChangesQuery, ownResultIn } from './bulk-queries.ts';
import { useNewestResult } from './last-change.ts';
import { CancelChangeButton, doneOf, runningTitle } from './running-change.tsx';

/** The changes of many clients that the service is making, in one line each. The list of clients shows more about them itself. */
export function BackgroundChanges() {
  const environment = useEnvironment();
  const isOnList = useMatch({ from: '/$environment/clients', shouldThrow: false }) !== undefined;
  const { must_add_second_factor: isHeld, email } = useSuspenseQuery(sessionQuery).data;
  const { data } = useQuery({ ...latestBulkChangesQuery(environment), enabled: !isHeld });
  const running = data?.results.filter((each) => !isBulkChangeOver(each)) ?? [];
  useRefetchAtEnd(data?.results);
  useNewestResult(data && ownResultIn(data.results, email)?.change_id);
  if (isOnList) return null;
  return running.toReversed().map((change) => <BackgroundChange key={change.change_id} change={change} />);
}

/** A change that has ended has changed what the page shows. */
function useRefetchAtEnd(changes: readonly BulkChangeRecord[] | undefined): void {
  const queries = useQueryClient();
  const ended = changes
    ?.filter(isBulkChangeOver)
    .map((each) => each.change_id)
    .join(' ');
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (ended !== undefined && before.current !== undefined && ended !== before.current) {
      void queries.invalidateQueries();
    }
    before.current = ended;
  }, [ended, queries]);
}

function BackgroundChange({ change }: { change: BulkChangeRecord }) {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const title = runningTitle(change);
  return (
    <section className="background-change" aria-label={title}>
      <Group justify="center" gap="xs">
        <Text size="sm" className="numeric">
          {title}: {change.state === 'queued' ? 'waiting to begin' : `${doneOf(change).toLocaleString()} done`}
        </Text>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/$environment/clients" params={{ environment }} {...props} />}
        >
          Show clients
        </Anchor>
        {canEdit && <CancelChangeButton changeId={change.change_id} />}
      </Group>
    </section>
  );
}
