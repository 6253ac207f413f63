import { Anchor, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';
import { isOver, latestImportsQuery } from './queries.ts';
import { isResultSeen } from './seen-results.ts';
import { noteSeen } from './started-imports.ts';

/** A member who comes back later than this has come for another import. */
const SHOWN_MS = 3_600_000;

/** Leads whoever comes back to the page to the result of their own last import, until they have seen it. */
export function LastImport() {
  const environment = useEnvironment();
  const { email } = useSuspenseQuery(sessionQuery).data;
  const { data } = useQuery(latestImportsQuery(environment, 1));
  const last = data?.results.find((each) => isOver(each) && !each.dry_run && each.started_by === email);
  useEffect(() => {
    if (last) noteSeen(environment, last.import_id);
  }, [environment, last]);
  if (!last || isResultSeen(last.import_id) || Date.parse(last.ended_at ?? '') < Date.now() - SHOWN_MS) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {endText(last)}{' '}
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link to="/$environment/import/$importId" params={{ environment, importId: last.import_id }} {...props} />
        )}
      >
        See the result
      </Anchor>
    </Text>
  );
}

const ENDS: Partial<Record<ImportRecord['state'], string>> = {
  completed: 'has finished',
  cancelled: 'was cancelled',
  failed: 'has stopped',
};

function endText({ file_name: name, state, rejected }: ImportRecord): string {
  const wrong = rejected > 0 ? `, and ${countText(rejected, 'row was', 'rows were')} rejected` : '';
  return `Your import of “${name}” ${ENDS[state]}${wrong}.`;
}
