import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { countsText } from './import-counts-text.ts';
import { Starter } from './import-facts.tsx';
import { CancelButton, ImportProgress } from './import-status.tsx';
import { isOver, latestImportsQuery } from './queries.ts';

const route = getRouteApi('/$environment/import');

/** The imports of everybody in this environment, also those that were started before this page was opened. */
export function ImportHistory({ canEdit }: { canEdit: boolean }) {
  const { page = 1 } = route.useSearch();
  const query = useQuery(latestImportsQuery(useEnvironment(), page));
  if (page === 1 && (query.isPending || query.data?.results.length === 0)) return null;
  return (
    <Section title="Imports" description="Imports are listed here for 30 days after their end.">
      <QueryContent query={query} lines={2}>
        {({ results, has_more: hasMore }) => (
          <Stack gap="md">
            {results.length === 0 && <Text size="sm">There are no older imports.</Text>}
            {results.map((each) => (
              <ImportLine key={each.import_id} shown={each} canEdit={canEdit} />
            ))}
            <OtherPages page={page} hasMore={hasMore} />
          </Stack>
        )}
      </QueryContent>
    </Section>
  );
}

function OtherPages({ page, hasMore }: { page: number; hasMore: boolean }) {
  const navigate = route.useNavigate();
  const open = (other: number) => navigate({ search: { page: other > 1 ? other : undefined } });
  if (page === 1 && !hasMore) return null;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => open(page - 1)}>
        Newer
      </Button>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={() => open(page + 1)}>
        Older
      </Button>
    </Group>
  );
}

function ImportLine({ shown, canEdit }: { shown: ImportRecord; canEdit: boolean }) {
  const environment = useEnvironment();
  const { import_id: importId } = shown;
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Box miw={0} flex="1 1 260px">
        <Anchor
          size="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => (
            <Link to="/$environment/import/$importId" params={{ environment, importId }} {...props} />
          )}
        >
          {shown.file_name}
        </Anchor>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Starter record={shown} />, <Time value={shown.created_at} as="relative" />
        </Text>
        <Text size="sm">{stateText(shown)}</Text>
        {!isOver(shown) && <ImportProgress running={shown} />}
      </Box>
      {!isOver(shown) && canEdit && <CancelButton running={shown} />}
    </Group>
  );
}

function stateText(shown: ImportRecord): string {
  const what = shown.dry_run ? 'Check' : 'Import';
  switch (shown.state) {
    case 'queued':
      return `${what} is waiting.`;
    case 'running':
      return `${what} is running.`;
    case 'completed':
      return shown.dry_run ? `Only checked: ${countsText(shown)}` : countsText(shown);
    case 'cancelled':
      return `${what} was cancelled. ${countsText(shown)}`;
    case 'failed':
      return `${what} stopped: ${shown.reason}`;
  }
}
