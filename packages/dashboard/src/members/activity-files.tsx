import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FileForm } from '../components/file-form.tsx';
import { useCanEdit } from '../session.ts';

const CHECKPOINT =
  'Signed, it shows later whether the log was changed. Take it before an export that it is to be compared with.';

/** The signed statement of where the log ends now, and the log as a file for an auditor. */
export function ActivityFiles() {
  if (!useCanEdit()) return null;
  return (
    <>
      <FileForm action="/activity/checkpoint" problem="The checkpoint was not made">
        <DownloadButton title={CHECKPOINT}>Signed checkpoint</DownloadButton>
      </FileForm>
      {(['csv', 'ndjson'] as const).map((format) => (
        <FileForm key={format} action="/activity/export" fields={{ format }} problem="The export did not start">
          <DownloadButton>Export {format.toUpperCase()}</DownloadButton>
        </FileForm>
      ))}
    </>
  );
}

function DownloadButton({ title = '', children }: { title?: string; children: ReactNode }) {
  return (
    <Button type="submit" variant="default" leftSection={<IconDownload size={16} />} {...(title && { title })}>
      {children}
    </Button>
  );
}
