import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { FileForm } from '../components/file-form.tsx';
import { useCanEdit } from '../session.ts';

/** The log as a file for an auditor, and the signed statement of where it ends now. */
export function ActivityFiles() {
  if (!useCanEdit()) return null;
  return (
    <>
      {(['csv', 'ndjson'] as const).map((format) => (
        <FileForm key={format} action="/activity/export" fields={{ format }} problem="The export did not start">
          <Button type="submit" variant="default" leftSection={<IconDownload size={16} />}>
            Export {format.toUpperCase()}
          </Button>
        </FileForm>
      ))}
      <FileForm action="/activity/checkpoint" problem="The checkpoint was not made">
        <Button
          type="submit"
          variant="default"
          title="A signed file that shows later whether the log was changed. Keep it somewhere else."
        >
          Signed checkpoint
        </Button>
      </FileForm>
    </>
  );
}
