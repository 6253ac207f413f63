import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { Notice } from '../components/notice.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { ImportClients } from './import-clients.tsx';
import { ImportSummary } from './import-summary.tsx';
import { importQuery, isOver } from './queries.ts';
import { RejectedRows } from './rejected-rows.tsx';
import { noteResultSeen } from './seen-results.ts';
import { noteSeen } from './started-imports.ts';
import { timeLeftText } from './time-left.ts';

interface ImportStatusProps {
  importId: string;
  /** Whether the result takes the focus of the button that started it. */
  takesFocus?: boolean;
  /** Whether an import follows this check. */
  goesOn?: boolean;
  /** Whether the import that may follow a check keeps statuses, also if the check did not. Missing where none follows. */
  keepsStatus?: boolean;
}

/** How far an import is, and its result as soon as there is one, with the rejected rows. */
export function ImportStatus({ importId, takesFocus = false, goesOn = false, keepsStatus }: ImportStatusProps) {
  const canEdit = useCanEdit();
  const query = useQuery(importQuery(useEnvironment(), importId));
  const result = useRef<HTMLDivElement>(null);
  useRefetchAtEnd(query.data?.import);
  const over = query.data !== undefined && isOver(query.data.import);
  useEffect(() => {
    if (over && takesFocus && isFocusLost()) result.current?.focus();
  }, [over, takesFocus]);
  return (
    <QueryContent query={query} lines={2}>
      {(detail) => {
        const { import: shown } = detail;
        if (!isOver(shown)) return <RunningImport running={shown} canEdit={canEdit} goesOn={goesOn} />;
        const canCorrect = canEdit && !shown.dry_run && shown.rejected > 0;
        return (
          <Stack gap="md">
            <ImportSummary ref={result} detail={detail} listsRejected={!canCorrect} keepsStatus={keepsStatus} />
            {canCorrect && (
              <RejectedRows
                key={importId}
                importId={importId}
                rejected={shown.rejected}
                onCorrected={() => result.current?.focus()}
              />
            )}
            {detail.clients !== undefined && detail.clients > 0 && (
              <ImportClients key={`clients of ${importId}`} record={shown} total={detail.clients} />
            )}
          </Stack>
        );
      }}
    </QueryContent>
  );
}

/** The import has changed what other parts of the page show. */
function useRefetchAtEnd(shown: ImportRecord | undefined): void {
  const queries = useQueryClient();
  const environment = useEnvironment();
  const ended = shown && isOver(shown) ? shown.import_id : undefined;
  useEffect(() => {
    if (ended === undefined) return;
    noteSeen(environment, ended);
    noteResultSeen(ended);
    void queries.invalidateQueries();
  }, [ended, environment, queries]);
}

interface RunningImportProps {
  running: ImportRecord;
  canEdit: boolean;
  goesOn: boolean;
}

function RunningImport({ running, canEdit, goesOn }: RunningImportProps) {
  return (
    <Notice tone="plain" title={running.state === 'queued' ? 'Waiting for an earlier import' : titleOf(running)}>
      <Stack gap="xs">
        <ImportProgress running={running} />
        <Group justify="space-between">
          <Text size="sm">{leavingText(running, goesOn)}</Text>
          {canEdit && <CancelButton running={running} />}
        </Group>
      </Stack>
    </Notice>
  );
}

function leavingText({ dry_run: dryRun }: ImportRecord, goesOn: boolean): string {
  if (goesOn)
    return 'The file is imported next, unless the check finds something that you should know before. You may go to other pages meanwhile, but do not close this tab.';
  return `You may leave this page; the ${dryRun ? 'check' : 'import'} goes on.`;
}

/** How far it is, how fast it goes and how long it will take, as far as that is known. */
export function ImportProgress({ running }: { running: ImportRecord }) {
  if (running.state === 'queued') return null;
  const { percent_read: percent } = running;
  return (
    <Stack gap={6} mt={4}>
      {percent !== null && (
        <Progress value={percent} aria-label={`Progress of the import of ${running.file_name}`} animated />
      )}
      <Text size="sm" className="numeric">
        {paceText(running)}
      </Text>
    </Stack>
  );
}

function paceText({ rows_read, rows_per_second, seconds_left, percent_read }: ImportRecord): string {
  const rows = `${countText(rows_read, 'row', 'rows')} so far`;
  if (rows_read === 0) return rows;
  const pace = `${rows}, ${countText(rows_per_second, 'row', 'rows')} per second`;
  if (seconds_left !== null) return `${pace}, ${timeLeftText(seconds_left)}`;
  return percent_read === null ? `${pace}. How long it will take is not known.` : pace;
}

function titleOf({ dry_run }: ImportRecord): string {
  return dry_run ? 'The file is being checked' : 'The file is being imported';
}

export function CancelButton({ running }: { running: ImportRecord }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const cancel = () => notifyOnError(sendChange('DELETE', `/${environment}/imports/${running.import_id}`));
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={cancel}
      aria-label={`Cancel the import of ${running.file_name}`}
    >
      Cancel
    </Button>
  );
}
