import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { Notice } from '../components/notice.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { ImportSummary } from './import-summary.tsx';
import { importQuery, isOver } from './queries.ts';

interface ImportStatusProps {
  importId: string;
  /** How many rows the file has, if that is known. */
  total?: number | undefined;
}

/** How far an import is, and its result as soon as there is one. */
export function ImportStatus({ importId, total }: ImportStatusProps) {
  const query = useQuery(importQuery(useEnvironment(), importId));
  useRefetchAtEnd(query.data?.import);
  return (
    <QueryContent query={query} lines={2}>
      {(detail) =>
        isOver(detail.import) ? (
          <ImportSummary detail={detail} />
        ) : (
          <RunningImport running={detail.import} total={total} />
        )
      }
    </QueryContent>
  );
}

/** The import has changed what other parts of the page show. */
function useRefetchAtEnd(shown: ImportRecord | undefined): void {
  const queries = useQueryClient();
  const over = shown !== undefined && isOver(shown);
  useEffect(() => {
    if (over) void queries.invalidateQueries();
  }, [over, queries]);
}

function RunningImport({ running, total }: { running: ImportRecord; total: number | undefined }) {
  const { state, rows_read: rows } = running;
  const percent = total ? Math.min(100, Math.round((100 * rows) / total)) : 100;
  return (
    <Notice tone="plain" title={state === 'queued' ? 'Waiting for an earlier import' : titleOf(running)}>
      <Stack gap="xs">
        <Progress value={percent} aria-label="Import progress" animated />
        <Group justify="space-between">
          <Text size="sm">
            {countText(rows, 'row', 'rows')} so far. You may leave this page; the result will be listed here.
          </Text>
          <CancelButton importId={running.import_id} />
        </Group>
      </Stack>
    </Notice>
  );
}

function titleOf({ dry_run }: ImportRecord): string {
  return dry_run ? 'The file is being checked' : 'The file is being imported';
}

export function CancelButton({ importId }: { importId: string }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const cancel = () => notifyOnError(sendChange('DELETE', `/${environment}/imports/${importId}`));
  return (
    <Button size="compact-sm" variant="default" onClick={cancel}>
      Cancel
    </Button>
  );
}
