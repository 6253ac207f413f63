import { Anchor, Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { FileForm } from '../components/file-form.tsx';
import { useEnvironment } from '../environment.ts';
import { useCanEdit } from '../session.ts';
import { activityFilters } from './queries.ts';
import { type ActivitySearch, hasActivityFilters } from './search.ts';

const DOWNLOAD = { type: 'submit', variant: 'default', leftSection: <IconDownload size={16} /> } as const;

const NOTE_ID = 'about-checkpoints';

/** What the filters match as a file; the whole log for an auditor, and the signed statement of where it ends now. */
export function ActivityFiles({ search }: { search: ActivitySearch }) {
  if (!useCanEdit()) return null;
  const { page: _page, whole: _whole, ...filters } = activityFilters(search);
  const exportProps = { action: '/activity/export', problem: 'The export did not start' };
  return (
    <>
      <FileForm {...exportProps} fields={{ ...filters, format: 'csv' }}>
        <Button {...DOWNLOAD}>{hasActivityFilters(search) ? 'Export matching entries as CSV' : 'Export CSV'}</Button>
      </FileForm>
      <FileForm {...exportProps} fields={{ format: 'ndjson' }}>
        <Button {...DOWNLOAD}>Export whole log as NDJSON</Button>
      </FileForm>
      <FileForm action="/activity/checkpoint" problem="The checkpoint was not made">
        <Button {...DOWNLOAD} aria-describedby={NOTE_ID}>
          Signed checkpoint
        </Button>
      </FileForm>
    </>
  );
}

export function CheckpointNote() {
  const environment = useEnvironment();
  if (!useCanEdit()) return null;
  return (
    <Text size="sm" c="dimmed" mt="sm">
      <span id={NOTE_ID}>
        A signed checkpoint is a small file that says where the log ends now. Kept elsewhere, it shows later whether
        anybody has changed the log. Take it before an export that it is to be compared with.
      </span>{' '}
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/$environment/help/$topic"
            params={{ environment, topic: 'activity' }}
            hash="is-it-complete-and-unchanged"
            {...props}
          />
        )}
      >
        How to use one
      </Anchor>
    </Text>
  );
}
