import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { QueryContent } from '../components/query-content.tsx';
import { Section } from '../components/section.tsx';
import { Time } from '../components/time.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { CancelButton } from './import-status.tsx';
import { countsText, RejectsLink } from './import-summary.tsx';
import { isOver, latestImportsQuery } from './queries.ts';

/** The imports of everybody in this environment, also those that were started before this page was opened. */
export function LatestImports({ canEdit }: { canEdit: boolean }) {
  const query = useQuery(latestImportsQuery(useEnvironment()));
  if (query.isPending || query.data?.results.length === 0) return null;
  return (
    <Section title="Latest imports">
      <QueryContent query={query} lines={2}>
        {({ results }) => (
          <Stack gap="md">
            {results.map((each) => (
              <ImportLine key={each.import_id} shown={each} canEdit={canEdit} />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Section>
  );
}

function ImportLine({ shown, canEdit }: { shown: ImportRecord; canEdit: boolean }) {
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Box miw={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {shown.file_name}
        </Text>
        <Text size="sm" c="dimmed">
          <Time value={shown.created_at} as="relative" /> · {stateText(shown)}
        </Text>
      </Box>
      {!isOver(shown) && canEdit && <CancelButton importId={shown.import_id} />}
      {isOver(shown) && shown.rejected > 0 && <RejectsLink importId={shown.import_id} />}
    </Group>
  );
}

function stateText(shown: ImportRecord): string {
  const what = shown.dry_run ? 'Check' : 'Import';
  switch (shown.state) {
    case 'queued':
      return `${what} is waiting.`;
    case 'running':
      return `${what} is running: ${countText(shown.rows_read, 'row', 'rows')} so far.`;
    case 'completed':
      return shown.dry_run ? `Only checked: ${countsText(shown)}` : countsText(shown);
    case 'cancelled':
      return `${what} was cancelled. ${countsText(shown)}`;
    case 'failed':
      return `${what} stopped: ${shown.reason}`;
  }
}
