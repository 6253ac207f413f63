import { Anchor, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Ref } from 'react';
import type { ImportDetail, ImportRecord } from '#contract/clients/imports.ts';
import { capitalised } from '../capitalised.ts';
import { FileForm } from '../components/file-form.tsx';
import { Notice } from '../components/notice.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';
import { changesStatus, findsChanges, questionOf } from './import-check.ts';
import { countsText } from './import-counts-text.ts';
import { ImportEffects } from './import-effects.tsx';
import { ReasonList } from './reason-list.tsx';

interface ImportSummaryProps {
  detail: ImportDetail;
  listsRejected: boolean;
  /** Whether statuses will stay in the import that may follow this check, although it did not keep them. */
  keepsStatus: boolean | undefined;
  /** To put the focus on it. */
  ref: Ref<HTMLDivElement>;
}

/** What became of an import, with the rejected rows as a file that can be corrected. */
export function ImportSummary({ detail, listsRejected, keepsStatus, ref }: ImportSummaryProps) {
  const environment = useEnvironment();
  const mayExport = useSuspenseQuery(sessionQuery).data.may_export;
  const { import: ended, rejected } = detail;
  const staysAsItIs = ended.dry_run && keepsStatus && changesStatus(ended);
  return (
    <Notice ref={ref} tone={toneOf(ended, keepsStatus)} title={titleOf(ended, keepsStatus)}>
      {ended.reason && <Text size="sm">{capitalised(ended.reason)}</Text>}
      {(ended.state === 'completed' || ended.rows_read > 0) && <Text size="sm">{countsText(ended)}</Text>}
      <ImportEffects
        effects={ended}
        wouldBe={ended.dry_run}
        statuses={staysAsItIs && 'Statuses will stay as they are, so fewer clients may be updated.'}
      />
      {ended.state !== 'completed' && !ended.dry_run && (
        <Text size="sm">What was imported before stays. You can safely import the file again.</Text>
      )}
      {ended.rejected > 0 && listsRejected && (
        <ReasonList
          reasons={rejected.map(({ line, ...each }) => ({ lines: [line], ...each }))}
          others={ended.rejected - rejected.reduce((sum, { rows }) => sum + rows, 0)}
        />
      )}
      {ended.rejected > 0 && ended.dry_run && (
        <Text size="sm">Rejected rows can be corrected on this page after the import.</Text>
      )}
      <Group gap="md" mt={6}>
        {ended.rejected > 0 && mayExport && <RejectsLink importId={ended.import_id} />}
        {!ended.dry_run && (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/$environment/clients" params={{ environment }} {...props} />}
          >
            All clients
          </Anchor>
        )}
      </Group>
    </Notice>
  );
}

function RejectsLink({ importId }: { importId: string }) {
  const environment = useEnvironment();
  return (
    <FileForm
      action={`/${environment}/imports/${importId}/rejects.csv`}
      problem="The rejected rows were not downloaded"
    >
      <Anchor component="button" type="submit" size="sm">
        Download the rejected rows with reasons
      </Anchor>
    </FileForm>
  );
}

function toneOf(ended: ImportRecord, keepsStatus = false): 'error' | 'warning' | 'success' {
  if (ended.state === 'failed') return 'error';
  const asks = ended.dry_run && findsChanges(ended, keepsStatus);
  return ended.rejected > 0 || ended.state === 'cancelled' || asks ? 'warning' : 'success';
}

function titleOf(ended: ImportRecord, keepsStatus: boolean | undefined): string {
  const { state, dry_run, inserted, updated, unchanged } = ended;
  if (state === 'failed') return dry_run ? 'The check stopped' : 'The import stopped';
  if (state === 'cancelled') return dry_run ? 'The check was cancelled' : 'The import was cancelled';
  const mayFollow = keepsStatus !== undefined;
  if (dry_run && mayFollow && findsChanges(ended, keepsStatus)) return questionOf(ended, keepsStatus);
  if (dry_run) return 'Check finished, no clients were changed';
  return inserted + updated + unchanged === 0 ? 'No rows were imported' : 'Import finished';
}
